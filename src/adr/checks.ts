import type { CheckDescription } from '../domain/documents/adr-documents.ts';
import { parseYaml } from '../text/yaml/yaml.ts';

/** Every check HELIX brings along, layer by layer, from the text of config/adr-checks.yaml; a test holds it against its schema. */
export function parseChecks(text: string): readonly CheckDescription[] {
  return parseYaml(text, 'config/adr-checks.yaml').value as readonly CheckDescription[];
}
