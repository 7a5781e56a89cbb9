// The static checks that `npm run verify` and `npm test` share.
import { join } from 'node:path'
import { root } from './install.mjs'
import { tool } from './steps.mjs'

/**
 * For the tools written in Go. With one thread, the linter's type checker resolves each shared type once
 * instead of once per thread, which takes a third less CPU time; the tests use the other core. Collecting
 * garbage half as often saves a few seconds more.
 */
const oneCore = { GOMAXPROCS: '1', GOGC: '200' }

/** The slowest first. @type {import('./steps.mjs').Step[]} */
export const staticChecks = [
  { name: 'lint', args: tool('oxlint/bin/oxlint', '--type-aware', '--deny-warnings'), env: oneCore },
  types('server', 'tsconfig.json'),
  types('console', 'apps/console/tsconfig.json'),
  types('walks', 'e2e/tsconfig.json'),
  { name: 'format', args: tool('oxfmt/bin/oxfmt', '--check') },
  { name: 'words and documents', args: [join(root, 'scripts/check-text.mjs')] },
  { name: 'unused code', args: tool('knip/bin/knip.js', '--no-progress', '--no-config-hints') },
]

export const unitTests = {
  name: 'unit tests',
  args: tool(
    'vitest/vitest.mjs',
    'run',
    '--project',
    'unit',
    '--project',
    'unit-mocked',
    '--project',
    'console',
    '--project',
    'console-dom',
    '--maxWorkers=2',
    '--reporter=dot',
    '--reporter=json',
    '--outputFile.json=node_modules/.tollgate-unit.json',
  ),
}

/**
 * By default TypeScript divides the files among four checkers, and each resolves the shared types again. One
 * checker takes half the CPU time, and the other checks run beside it.
 */
function types(name, project) {
  const args = tool('typescript/bin/tsc', '--checkers', '1', '-p', join(root, project))
  return { name: `types of the ${name}`, args, env: oneCore }
}
