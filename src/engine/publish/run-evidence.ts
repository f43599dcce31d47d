import { posix } from 'node:path';
import type { EvidenceDocument } from '../../domain/documents/evidence-document.ts';
import type { RunState } from '../../domain/facts/run-state.ts';
import type { Project } from '../../ports/project.ts';
import type { Workspace } from '../../ports/workspace.ts';
import { evidenceDocument } from '../../report/run/evidence.ts';
import { readSpecForJudge } from '../step/read-spec.ts';

type Around = { readonly workspace: () => Promise<Workspace>; readonly project: Pick<Project, 'read'> };

/** What shows that a run made what was asked for, with the criteria of its specification where a phase writes one. */
export async function runEvidence(state: RunState, { workspace, project }: Around): Promise<EvidenceDocument> {
  const isSpec = (path: string) => posix.basename(path) === 'spec.yaml';
  const last = state.plan.phases.at(-1);
  const specified = state.plan.phases.some(({ output }) => output.files.some(isSpec));
  if (last === undefined || !specified) return evidenceDocument(state);
  const ports = { workspace: await workspace(), project };
  return evidenceDocument(state, (await readSpecForJudge(last, { ports, state })).criteria);
}
