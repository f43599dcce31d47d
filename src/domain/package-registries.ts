/** The domains agents may reach unless helix.yaml names others: where packages are published. */
export const PACKAGE_REGISTRIES: readonly string[] = [
  ...['registry.npmjs.org', 'registry.yarnpkg.com', 'jsr.io', 'npm.jsr.io'],
  ...['pypi.org', 'files.pythonhosted.org'],
  ...['crates.io', 'index.crates.io', 'static.crates.io'],
  ...['proxy.golang.org', 'sum.golang.org'],
  ...['repo.maven.apache.org', 'repo1.maven.org', 'plugins.gradle.org', 'services.gradle.org'],
  ...[
    'rubygems.org',
    'index.rubygems.org',
    'packagist.org',
    'repo.packagist.org',
    'api.nuget.org',
    'hex.pm',
    'repo.hex.pm',
  ],
];
