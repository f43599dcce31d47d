import { posix } from 'node:path';
import type { Phase } from '../../domain/plan.ts';
import type { Move } from '../../domain/script.ts';

/** What the scripted agent does without a script: it writes every declared output and approves. */
export function builtInMove(phase: Phase): Move {
  const declared = [...phase.output.files, ...phase.gates.flatMap((gate) => gateFiles(gate.settings))];
  const reviews = phase.gates.filter((gate) => gate.type === 'review_approved');
  const writes = Object.fromEntries(declared.map(examplePath).map((path) => [path, content(path, phase)]));
  for (const { settings } of reviews) {
    const file = typeof settings.file === 'string' ? settings.file : posix.join(phase.output.directory, 'review.json');
    writes[file] = `${JSON.stringify({ approved: true, findings: [], suggestions: [], simulated: true }, null, 2)}\n`;
  }
  if (Object.keys(writes).length === 0) {
    const path = posix.join(phase.output.directory, 'result.md');
    writes[path] = content(path, phase);
  }
  return { prints: `simulated: ${phase.id} writes ${Object.keys(writes).join(', ')}`, writes };
}

function gateFiles(settings: Readonly<Record<string, unknown>>): string[] {
  return Array.isArray(settings.files) ? settings.files.filter((file): file is string => typeof file === 'string') : [];
}

/** A path that a pattern like `src/*.py` matches. */
function examplePath(pattern: string): string {
  return pattern
    .replaceAll(/\{([^,}]*)[^}]*\}/g, '$1')
    .replaceAll('**/', '')
    .replaceAll(/\*+/g, 'example')
    .replaceAll('?', 'x')
    .replaceAll(/\[!?(.)[^\]]*\]/g, '$1');
}

function content(path: string, phase: Phase): string {
  const note = `Simulated by the scripted agent: phase ${phase.id}.`;
  switch (posix.extname(path)) {
    case '.json':
      return `${JSON.stringify({ simulated: true, note }, null, 2)}\n`;
    case '.md':
      return `# ${phase.name}\n\n${note}\n`;
    case '.ts':
    case '.js':
    case '.mjs':
    case '.go':
    case '.rs':
    case '.java':
    case '.c':
    case '.cpp':
      return `// ${note}\n`;
    default:
      return `# ${note}\n`;
  }
}
