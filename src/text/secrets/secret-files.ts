/** Names under which people and programs keep secrets; examples of such files have none. */
const SECRET_FILES: readonly RegExp[] = [
  /^\.env(?!\.(?:example|sample|template|dist)$)(?:\.|rc$|$)/,
  /\.(?:pem|key|p12|pfx|jks|keystore|kdbx|ppk)$/,
  /^id_(?:rsa|dsa|ecdsa|ed25519)$/,
  /^\.(?:netrc|npmrc|pypirc|pgpass|git-credentials|htpasswd|vault-token)$/,
  /^(?:credentials|service[-_]?account)[^/]*\.json$/,
  /^secrets?\.(?:json|ya?ml|toml|env)$/,
];
const SECRET_FOLDERS: ReadonlySet<string> = new Set([
  '.ssh',
  '.aws',
  '.gnupg',
  '.kube',
  '.docker',
  '.azure',
  '.gcloud',
]);

/** Tells whether a file is one that secrets are usually kept in, by its name. */
export function isSecretFile(path: string): boolean {
  const names = path.toLowerCase().split('/');
  const name = names.pop() ?? '';
  return names.some((each) => SECRET_FOLDERS.has(each)) || SECRET_FILES.some((pattern) => pattern.test(name));
}
