import { posix } from 'node:path';
import type { Tree } from '../../ports/tree.ts';
import { isTestFile } from '../gate/test-files.ts';

/** The modules that come with Python, of all versions in use. */
const STANDARD =
  '__future__ abc aifc annotationlib argparse array ast asynchat asyncio asyncore atexit audioop base64 bdb ' +
  'binascii bisect builtins bz2 cProfile calendar cgi cgitb chunk cmath cmd code codecs codeop collections ' +
  'colorsys compileall compression concurrent configparser contextlib contextvars copy copyreg crypt csv ctypes ' +
  'curses dataclasses datetime dbm decimal difflib dis distutils doctest email encodings ensurepip enum errno ' +
  'faulthandler fcntl filecmp fileinput fnmatch fractions ftplib functools gc genericpath getopt getpass gettext ' +
  'glob graphlib grp gzip hashlib heapq hmac html http imaplib imghdr imp importlib inspect io ipaddress ' +
  'itertools json keyword lib2to3 linecache locale logging lzma mailbox mailcap marshal math mimetypes mmap ' +
  'modulefinder msvcrt multiprocessing netrc nis nntplib nt ntpath nturl2path numbers opcode operator optparse os ' +
  'ossaudiodev pathlib pdb pickle pickletools pipes pkgutil platform plistlib poplib posix posixpath pprint ' +
  'profile pstats pty pwd py_compile pyclbr pydoc pydoc_data pyexpat queue quopri random re readline reprlib ' +
  'resource rlcompleter runpy sched secrets select selectors shelve shlex shutil signal site smtpd smtplib sndhdr ' +
  'socket socketserver spwd sqlite3 sre_compile sre_constants sre_parse ssl stat statistics string stringprep ' +
  'struct subprocess sunau symtable sys sysconfig syslog tabnanny tarfile telnetlib tempfile termios textwrap ' +
  'threading time timeit tkinter token tokenize tomllib trace traceback tracemalloc tty turtle types typing ' +
  'unicodedata unittest urllib uu uuid venv warnings wave weakref webbrowser winreg wsgiref xdrlib xml xmlrpc ' +
  'zipapp zipfile zipimport zlib zoneinfo';
/** What pytest is made of and what it loads by itself. */
const OF_PYTEST =
  'iniconfig pluggy packaging pygments exceptiongroup tomli colorama py attr attrs xdist execnet coverage';
const MODULES = new Set(`${STANDARD} ${OF_PYTEST}`.split(' '));
const MODULE = /^(\w+)(?:\.(?:cpython|cp|abi)[\w-]*)?\.(?:py|pyc|so|pyd)$/;
const MANIFESTS = /^(?:pyproject\.toml|setup\.(?:py|cfg)|tox\.ini|\.?pytest\.(?:ini|toml)|conftest\.py)$/;

/** Tells of new files whether Python, started for tests, would take them for a module of its own or of its test runner. */
export function shadowsModule(base: Tree, tree: Tree): (path: string) => boolean {
  const former = new Set(base.files.map(({ path }) => path));
  const searched = new Set(['.', 'src', 'lib']);
  for (const { path } of tree.files)
    if (MANIFESTS.test(posix.basename(path)) || (path.endsWith('.py') && isTestFile(path)))
      searched.add(posix.dirname(path));
  return (path) => {
    if (former.has(path)) return false;
    const name = MODULE.exec(posix.basename(path))?.[1];
    const isPackage = name === '__init__';
    const module = isPackage ? posix.basename(posix.dirname(path)) : name;
    const folder = posix.dirname(isPackage ? posix.dirname(path) : path);
    return module !== undefined && (MODULES.has(module) || module.startsWith('pytest_')) && searched.has(folder);
  };
}
