/** What kind of misuse or breakdown a HelixError reports; the command line maps it to an exit code. */
export type HelixErrorCode =
  | 'usage'
  | 'plan'
  | 'config'
  | 'not_built'
  | 'not_trusted'
  | 'not_found'
  | 'run_owned'
  | 'conflict'
  | 'fenced'
  | 'journal'
  | 'locked'
  | 'stopped'
  | 'setup'
  | 'disk_full'
  | 'machine'
  | 'io';

/** The one error HELIX throws: what happened, and in `hint` what to do next. */
export class HelixError extends Error {
  readonly code: HelixErrorCode;
  readonly hint: string | undefined;

  constructor(code: HelixErrorCode, message: string, options: { hint?: string; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'HelixError';
    this.code = code;
    this.hint = options.hint;
  }
}
