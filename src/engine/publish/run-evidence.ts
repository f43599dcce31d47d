import { posix } from 'node:path';
import type { EvidenceDocument } from '../../domain/documents/evidence-document.ts';
import type { RunState } from '../../domain/facts/run-state.ts';
import { HelixError } from '../../domain/helix-error.ts';
import { TASK_SOURCE } from '../../domain/plan/plan.ts';
import type { Project } from '../../ports/project.ts';
import type { Workspace } from '../../ports/workspace.ts';
import { evidenceDocument } from '../../report/run/evidence.ts';
import { readSpecForJudge } from '../step/read-spec.ts';

const SPEC_FILE = 'spec.yaml';

type Around = { readonly workspace: () => Promise<Workspace>; readonly project: Pick<Project, 'read'> };

/** What shows that a run made what was asked for, with the criteria of its specification where it goes by one. */
export async function runEvidence(state: RunState, { workspace, project }: Around): Promise<EvidenceDocument> {
  const last = state.plan.phases.at(-1);
  if (last === undefined || !(await goesBySpec(state, project))) return evidenceDocument(state);
  const ports = { workspace: await workspace(), project };
  return evidenceDocument(state, (await readSpecForJudge(last, { ports, state })).listed);
}

/** Tells whether a run goes by a specification; a task says itself what is wanted, and one that lies around is not its own. */
export async function goesBySpec({ plan, source }: RunState, project: Around['project']): Promise<boolean> {
  const isSpec = (path: string) => posix.basename(path) === SPEC_FILE;
  if (plan.phases.some(({ output }) => output.files.some(isSpec))) return true;
  return source.path !== TASK_SOURCE && (await hasFile(project));
}

async function hasFile(project: Around['project']): Promise<boolean> {
  try {
    return (await project.read(SPEC_FILE, 1)) !== undefined;
  } catch (error) {
    // What cannot be read now may have been readable when the run began.
    if (error instanceof HelixError) return true;
    throw error;
  }
}
