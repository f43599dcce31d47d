import { registerHooks } from 'node:module';

/**
 * Loads zod without what costs most of its loading time and is never used: its messages in sixty languages, while HELIX words
 * its findings itself.
 */
export async function leanStart(): Promise<void> {
  const hooks = registerHooks({
    resolve: (specifier, context, next) =>
      specifier === '../locales/index.js' && context.parentURL?.includes('/zod/')
        ? { url: 'data:text/javascript,', format: 'module', shortCircuit: true }
        : next(specifier, context),
  });
  await import('zod');
  hooks.deregister();
}
