import type { Finding, Location } from '../../domain/finding.ts';
import type { ParsedYaml, YamlPath } from './yaml.ts';

/** One thing wrong with a file, without its place. */
export type Note = { readonly check: string; readonly message: string; readonly hint?: string };

const MAX = 200;

/** Collects what is wrong with one file; of a hopeless one only the beginning is reported. */
export class FileFindings {
  readonly #yaml: ParsedYaml;
  readonly #findings: Finding[];
  readonly #count = { error: 0, warning: 0 };

  constructor(yaml: ParsedYaml) {
    this.#yaml = yaml;
    this.#findings = [...yaml.findings];
  }

  /** True when further errors would not be shown, so that looking for them is in vain. */
  get full(): boolean {
    return this.#count.error > MAX;
  }

  /** Everything so far, in the order of the lines. */
  get sorted(): Finding[] {
    const place = ({ location }: Finding): number =>
      (location?.line ?? 0) * 1e6 + Math.min(location?.column ?? 0, 1e6 - 1);
    return this.#findings.toSorted((a, b) => place(a) - place(b));
  }

  error(path: YamlPath, note: Note): void {
    this.#add('error', this.#yaml.locate(path), note);
  }

  errorAtKey(path: YamlPath, note: Note): void {
    this.#add('error', this.#yaml.locateKey(path), note);
  }

  warning(path: YamlPath, note: Note): void {
    this.#add('warning', this.#yaml.locate(path), note);
  }

  warningAtKey(path: YamlPath, note: Note): void {
    this.#add('warning', this.#yaml.locateKey(path), note);
  }

  lineOf(path: YamlPath): number {
    return this.#yaml.locate(path).line ?? 1;
  }

  #add(severity: 'error' | 'warning', location: Location, note: Note): void {
    this.#count[severity] += 1;
    if (this.#count[severity] <= MAX) this.#findings.push({ severity, ...note, location });
    else if (this.#count[severity] === MAX + 1) {
      this.#findings.push({
        severity,
        check: 'too-many-findings',
        message: `more ${severity}s are not shown`,
        location,
      });
    }
  }
}
