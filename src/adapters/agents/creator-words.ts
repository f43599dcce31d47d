/** What every creator is told beside its brief. */
export const CREATOR_WORDS = `You work for HELIX on one phase of a plan; the message tells you which. Nobody can answer questions: decide yourself and say
what you assumed. Work only in the current directory. When you stop, HELIX takes the files as they are and independent gates judge
them; what you say about your work does not count. Do not commit, push or change branches.`;
