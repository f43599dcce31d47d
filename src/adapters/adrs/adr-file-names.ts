/** What lies beside ADRs and is none. */
const OTHERS = new Set([
  'changelog',
  'contributing',
  'license',
  'licence',
  'security',
  'code_of_conduct',
  'code-of-conduct',
  'summary',
  'toc',
  'glossary',
  'claude',
  'agents',
]);

const SKIPPED_FOLDERS = new Set(['node_modules', 'vendor', 'dist']);

/** A folder of its own for each ADR: `2022-02-14-helm-chart/README.md`. */
const RECORD_FOLDER = /^(?:adr[-_ ]?)?\d{2,8}[-_. ]/i;

/** Tells whether a file of this name, in a folder of that name, is taken for an ADR. */
export function isAdrFileName(name: string, folder = ''): boolean {
  const [, stem = ''] = /^([^._].*)\.(?:md|markdown)$/is.exec(name) ?? [];
  if (/^(?:readme|index)$/i.test(stem)) return RECORD_FOLDER.test(folder);
  return stem !== '' && !OTHERS.has(stem.toLowerCase()) && !isTemplate(stem.toLowerCase());
}

/** A number other than zero makes `0012-email-template` an ADR about templates. */
function isTemplate(stem: string): boolean {
  if (/^(?:m?adr)?[-_. ]?0*[1-9]/.test(stem)) return false;
  return (
    /(?:^|[-_. ])(?:template|vorlage)$/.test(stem) ||
    /^(?:(?:m?adr|decision|record|0+)[-_. ])*(?:template|vorlage)/.test(stem)
  );
}

/** Tells whether ADRs are looked for in a folder of this name that lies in the one that was given. */
export function isAdrFolderName(name: string): boolean {
  return !name.startsWith('.') && !SKIPPED_FOLDERS.has(name);
}
