import type { UpdatedConfigDocument } from '../../domain/documents/escalation-documents.ts';
import type { Changes } from '../../domain/facts/consultation.ts';
import type { Phase } from '../../domain/plan/plan.ts';
import { present } from '../../domain/present.ts';
import { yamlLibrary } from '../../text/yaml/yaml-library.ts';

/** Who makes the next attempts, and how. */
type Setup = { readonly agent: string; readonly model: string | undefined; readonly skills: readonly string[] };

/** What the next attempts of a phase really run with: what the plan says, and over it what was changed. */
export function updatedConfig(
  { id, config }: Phase,
  { agent, model, skills }: Setup,
  { hints = [], spec = {}, revertTo }: Changes & { readonly revertTo?: string | undefined },
): UpdatedConfigDocument {
  const { model: _planned, skills: _own, ...rest } = config;
  return {
    ...{ phase: id, agent },
    ...present({ model }),
    ...rest,
    ...{ skills: [...skills], hints, spec },
    ...present({ revert_to: revertTo }),
  };
}

/** escalation/stufe-1/updated-config.yaml */
export function renderUpdatedConfig(document: UpdatedConfigDocument): string {
  const about =
    '# What the next attempts run with. Written by HELIX for people to read; changing it changes nothing.\n';
  return about + yamlLibrary().stringify(document, { lineWidth: 0, aliasDuplicateObjects: false });
}
