import { tomlTexts } from './manifest.ts';
import type { Place } from './place.ts';

const MOST_READ = 60;
/** In setup.py or setup.cfg: what the package depends on, and what of it is there only once it is installed. */
const INSTALLED =
  /\b(?:install_requires|setup_requires|use_scm_version|ext_modules|cffi_modules|rust_extensions|Extension\s*\(|cythonize|entry_points|console_scripts|scripts\s*=|package_dir|cmdclass|pbr)/;
/** The same in pyproject.toml, by its tables, by the fields a build fills in and by what builds it. */
const INSTALLED_TABLE =
  /^(?:project\.(?:(?:gui-)?scripts|entry-points(?:\..*)?)|tool\.(?:setuptools_scm|setuptools\.(?:ext-modules|package-dir)|hatch\.build\..*hooks.*|pdm\.build))$/;
const INSTALLED_FIELDS = ['dependencies', 'scripts', 'gui-scripts', 'entry-points'];
const PLAIN_BACKEND = /^(?:setuptools\.build_meta(?::__legacy__)?|flit_core\.buildapi|hatchling\.build|pdm\.backend)$/;
const PLAIN_BUILDER = /^(?:setuptools|wheel|flit[_-]core|hatchling|pdm-backend)(?![\w.-])/;
/** Files that are read by who installs the package, and by nobody else. */
const INSTALLER = /(?:^|\/)(?:ez_setup|setup)\.py$/;
/** A module that asks for what is known of its own installation. */
const ASKS_ITSELF = /\bimportlib(?:[._]|\s+import\b.*\b)metadata\b|\bpkg_resources\b/;

/**
 * Tells whether a package depends on nothing and its modules work where they lie, so that its tests need no
 * installation, which takes time and, for the tools that build it, the network.
 */
export async function standsAlone(place: Place, tables: ReadonlyMap<string, string>): Promise<boolean> {
  if (!dependsOnNothing(tables)) return false;
  for (const file of ['setup.py', 'setup.cfg']) if (INSTALLED.test((await place.read(file)) ?? '')) return false;
  const modules = place.files.filter((path) => path.endsWith('.py') && !INSTALLER.test(path));
  if (modules.length > MOST_READ) return false;
  for (const path of modules) if (ASKS_ITSELF.test((await place.read(path)) ?? '')) return false;
  return true;
}

function dependsOnNothing(tables: ReadonlyMap<string, string>): boolean {
  const [project, build] = [tables.get('project'), tables.get('build-system')];
  const backend = /^\s*build-backend\s*=\s*["']([^"']*)["']/m.exec(build ?? '')?.[1];
  return (
    tomlTexts(project, 'dependencies').length === 0 &&
    !tomlTexts(project, 'dynamic').some((field) => INSTALLED_FIELDS.includes(field)) &&
    ![...tables.keys()].some((name) => INSTALLED_TABLE.test(name)) &&
    (backend === undefined || PLAIN_BACKEND.test(backend)) &&
    tomlTexts(build, 'requires').every((name) => PLAIN_BUILDER.test(name))
  );
}
