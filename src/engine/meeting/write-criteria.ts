import { criteriaFaults } from '../../domain/documents/check-criteria.ts';
import { SpecFile } from '../../domain/documents/spec-file.ts';
import type { CriteriaAnswer } from '../../domain/facts/meeting.ts';
import type { NewEvent } from '../../domain/facts/run-event.ts';
import { isSpecFile } from '../../domain/ladder/meeting.ts';
import { amendedSpec } from '../../domain/ladder/spec-changes.ts';
import type { Phase } from '../../domain/plan/plan.ts';
import { present } from '../../domain/present.ts';
import { parseYaml } from '../../text/yaml/yaml.ts';
import { yamlLibrary } from '../../text/yaml/yaml-library.ts';
import type { RunContext } from '../step/engine-ports.ts';
import { ownerFaults, type Planned, plannedPhases } from './planned-phases.ts';

const LIMIT = 256 * 1024;
const GATES_FILE = /(^|\/)quality-gates\.yaml$/;

type Said = Extract<NewEvent, { type: 'meeting_answered' }>['data']['said'];

/** What the work of a meeting can be judged by is written into it. */
export type Written = {
  /** The specification with all that was decided about it. */
  readonly spec: string;
  /** The phases that follow, as they are planned. */
  readonly planned: Planned;
  /** Where gates are to be written, where the phase declares that. */
  readonly gatesFile?: string;
  readonly put: (answer: CriteriaAnswer) => Promise<Said | { readonly refused: readonly string[] }>;
};

/** Opens the specification of a tree to write criteria into it, or says why there is none to write them into. */
export async function criteriaOf(
  phase: Phase,
  from: string,
  { ports: { workspace }, state }: RunContext,
): Promise<Written | { readonly reason: string }> {
  const path = phase.output.files.find(isSpecFile) ?? '';
  const text = (await (await workspace.tree(from)).read(path, LIMIT))?.toString('utf8');
  if (text === undefined) return { reason: `there is no ${path}` };
  const { value, complete } = parseYaml(text, path);
  if (!complete || !SpecFile.safeParse(value).success)
    return { reason: `${path} is not of the form of a specification` };
  const document = yamlLibrary().parseDocument(text);
  const gatesFile = phase.output.files.find((file) => GATES_FILE.test(file));
  const planned = await plannedPhases(phase, { tree: await workspace.tree(from), state });
  const amended = amendedSpec(value, state.specChanges);
  return {
    spec: state.specChanges.length === 0 ? text : yamlLibrary().stringify(amended, { lineWidth: 0 }),
    planned,
    ...present({ gatesFile }),
    put: async ({ criteria, quality_gates: gates }) => {
      const faults = [
        ...criteriaFaults(criteria).map(({ message, hint }) => `${message}. ${hint}`),
        ...ownerFaults({ criteria, gates: gatesFile === undefined ? [] : (gates ?? []) }, planned),
      ];
      if (faults.length > 0) return { refused: faults };
      const place = document.hasIn(['implementation', 'acceptance_criteria']) ? ['implementation'] : [];
      document.setIn([...place, 'acceptance_criteria'], document.createNode(criteria));
      if (place.length > 0) document.deleteIn(['acceptance_criteria']);
      const changes = new Map([[path, document.toString({ lineWidth: 0 })]]);
      if (gatesFile !== undefined && gates !== undefined && gates !== null)
        changes.set(
          gatesFile,
          yamlLibrary().stringify({ version: '1.0', gates: withoutNulls(gates) }, { lineWidth: 0 }),
        );
      const tree = await workspace.edit(from, changes);
      return { part: 'criteria', criteria, from, tree };
    },
  };
}

/** What is missing in an answer stays missing in the file. */
function withoutNulls(gates: NonNullable<CriteriaAnswer['quality_gates']>): unknown[] {
  return gates.map((gate) =>
    Object.fromEntries(Object.entries(gate).filter(([, value]) => value !== null && value !== undefined)),
  );
}
