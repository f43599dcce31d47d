/** What an approval type may be called: safe as a folder on every system, and no way out of its own. */
export const APPROVAL_TYPE = /^[a-z0-9][a-z0-9_-]{0,63}$/;

/** The approval types HELIX ships. */
export const SHIPPED_APPROVALS: readonly string[] = [
  ...['adr', 'code', 'docs', 'architecture', 'security', 'compliance', 'migration', 'verification', 'change'],
];
