import { HelixError } from '../../domain/helix-error.ts';
import type { NotifySettings } from '../../domain/plan/notify-settings.ts';
import { present } from '../../domain/present.ts';
import type { Notice, Notifier, ToldNotice } from '../../ports/notifier.ts';
import { allowedEnv } from '../programs/environment.ts';
import { commentOf } from './github-comment.ts';
import { parseComments, readReplies } from './github-replies.ts';
import { type Programs, requireSuccess } from './start-command.ts';

const WALL_MS = 30_000;
const MEGABYTE = 1024 * 1024;
const LIST_BYTES = 16 * MEGABYTE;
/** The clocks of two machines differ. */
const SKEW_MS = 60 * 60_000;

/** Where `gh` keeps or is given its login, and how it gets out. */
const LOGIN = [
  ...['GH_TOKEN', 'GITHUB_TOKEN', 'GH_ENTERPRISE_TOKEN', 'GITHUB_ENTERPRISE_TOKEN', 'GH_HOST', 'GH_CONFIG_DIR'],
  ...['XDG_CONFIG_HOME', 'XDG_STATE_HOME', 'XDG_DATA_HOME', 'DBUS_SESSION_BUS_ADDRESS', 'XDG_RUNTIME_DIR'],
  ...['HTTPS_PROXY', 'https_proxy', 'NO_PROXY', 'no_proxy', 'SSL_CERT_FILE', 'SSL_CERT_DIR'],
];

type Place = Extract<NotifySettings, { github: object }>['github'];

/** An issue or a pull request, reached through the user's `gh`. */
export class GitHub {
  readonly #place: Place;
  readonly #programs: Programs;

  constructor(place: Place, programs: Programs) {
    this.#place = place;
    this.#programs = programs;
  }

  async tell(notice: Notice, signal: AbortSignal): Promise<void> {
    const { repo, issue } = this.#place;
    const args = ['issue', 'comment', String(issue), '--repo', repo, '--body-file', '-'];
    await this.#gh(args, { stdin: commentOf(notice), signal });
  }

  async hear(told: readonly ToldNotice[], signal: AbortSignal): ReturnType<Notifier['hear']> {
    const { repo, issue, users } = this.#place;
    const asked = told.filter(({ settled }) => settled === undefined).map(({ document }) => document.askedAt);
    const since = new Date(Math.min(...asked.map((at) => Date.parse(at))) - SKEW_MS).toISOString();
    // A page is a list of its own, so that only what is in them can be read one after the other.
    const fields = ['--method', 'GET', '-f', 'per_page=100', '-f', `since=${since}`, '--jq', '.[]'];
    const listed = await this.#gh(['api', `repos/${repo}/issues/${issue}/comments`, '--paginate', ...fields], {
      signal,
    });
    return readReplies(parseComments(listed), { told, users, place: `${repo}#${issue}` });
  }

  async #gh(args: readonly string[], { stdin, signal }: { stdin?: string; signal: AbortSignal }): Promise<string> {
    const { findProgram, processes, env, newMarker } = this.#programs;
    const gh = await findProgram('gh');
    if (gh === undefined) {
      throw new HelixError('io', 'the program gh was not found', {
        hint: 'Install the GitHub command line and log in with: gh auth login',
      });
    }
    const end = await (await processes()).run({
      argv: [gh, ...args],
      // What lies in the project must not change what gh does.
      cwd: '/',
      env: {
        ...env,
        ...allowedEnv(process.env, LOGIN),
        GH_PROMPT_DISABLED: '1',
        NO_COLOR: '1',
        GH_NO_UPDATE_NOTIFIER: '1',
      },
      marker: newMarker(),
      ...present({ stdin }),
      wallMs: WALL_MS,
      outputBytes: LIST_BYTES,
      keepStdoutBytes: LIST_BYTES,
      signal,
    });
    requireSuccess(`gh ${args[0]}`, end);
    return end.stdout;
  }
}
