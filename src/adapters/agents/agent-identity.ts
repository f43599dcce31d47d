/** Who an agent is to git, so that what it commits can be told from what the user commits. */
export const AGENT_IDENTITY = { name: 'HELIX agent', email: 'agent@helix.invalid' } as const;

/** The environment by which git takes an agent for that, and never asks it anything. */
export const AGENT_GIT_ENV: Readonly<Record<string, string>> = {
  GIT_AUTHOR_NAME: AGENT_IDENTITY.name,
  GIT_AUTHOR_EMAIL: AGENT_IDENTITY.email,
  GIT_COMMITTER_NAME: AGENT_IDENTITY.name,
  GIT_COMMITTER_EMAIL: AGENT_IDENTITY.email,
  GIT_TERMINAL_PROMPT: '0',
};
