import { HelixError } from '../../domain/helix-error.ts';
import type { Project } from '../../ports/project.ts';

const FILE_LIMIT = 256 * 1024;

/** What the project has under a path or pattern right now: something, nothing, or something that cannot be used. */
export type Presence = { readonly found: boolean; readonly problem?: string };

/** Looks each path up once. */
export class ProjectFiles {
  readonly #project: Project;
  readonly #known = new Map<string, Promise<Presence>>();

  constructor(project: Project) {
    this.#project = project;
  }

  find(pattern: string): Promise<Presence> {
    const known = this.#known.get(pattern) ?? this.#look(pattern);
    this.#known.set(pattern, known);
    return known;
  }

  hasDirectory(path: string): Promise<boolean> {
    return this.#project.hasDirectory(path);
  }

  /** The text of a file; undefined where there is none that can be read. */
  async read(path: string): Promise<string | undefined> {
    try {
      return await this.#project.read(path, FILE_LIMIT);
    } catch (error) {
      if (!(error instanceof HelixError) || error.code !== 'io') throw error;
      return undefined;
    }
  }

  /** The paths a pattern names; none where that cannot be told. */
  async list(pattern: string): Promise<readonly string[]> {
    try {
      return await this.#project.match(pattern);
    } catch (error) {
      if (!(error instanceof HelixError) || error.code !== 'io') throw error;
      return [];
    }
  }

  async #look(pattern: string): Promise<Presence> {
    try {
      return { found: (await this.#project.match(pattern)).length > 0 };
    } catch (error) {
      if (!(error instanceof HelixError) || error.code !== 'io') throw error;
      return { found: false, problem: error.message };
    }
  }
}
