/**
 * `npm run test:attacks -- --mutate [word]`: removes every guard, one at a time, in a copy of the sources,
 * and runs the short attack tests there, which must fail. With a word, only the guards whose name contains
 * it.
 */
import { spawn } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { mutations, type Mutation } from './mutations.ts'

const ROOT = join(import.meta.dirname, '../../../..')
/** A test run that hangs also counts as having noticed the removed guard. */
const RUN_MS = 3 * 60_000
const CORPUS = 'apps/server/test/attacks'
const COPIED = ['apps', 'packages', 'package.json', 'tsconfig.json', 'tsconfig.base.json', 'vitest.config.ts']
const LEFT_BEHIND = /(?:^|\/)(?:node_modules|dist|fixtures\/.*\.bin)(?:\/|$)/

/**
 * Copies the sources. Workspace packages are linked to the copy, all others to the existing `node_modules`.
 */
function copyOfSources(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-mutants-'))
  for (const name of COPIED)
    cpSync(join(ROOT, name), join(folder, name), {
      recursive: true,
      filter: (path) => !LEFT_BEHIND.test(path.slice(ROOT.length + 1)),
    })
  linkPackages(folder)
  return folder
}

function linkPackages(folder: string): void {
  const modules = join(folder, 'node_modules')
  cpSync(join(ROOT, 'node_modules/@tollgate'), join(modules, '@tollgate'), {
    recursive: true,
    verbatimSymlinks: true,
  })
  for (const name of readdirSync(join(ROOT, 'node_modules'))) {
    if (name === '@tollgate' || name === '.vite' || name === '.vitest') continue
    symlinkSync(join(ROOT, 'node_modules', name), join(modules, name))
  }
}

async function noticed(folder: string, { file, from, to, corpus }: Mutation): Promise<boolean> {
  const path = join(folder, file)
  const text = readFileSync(path, 'utf8')
  if (text.split(from).length !== 2) throw new Error(`${file}: "${from}" does not stand there once`)
  writeFileSync(
    path,
    text.replace(from, () => to),
  )
  try {
    return (await runCorpus(folder, corpus)) !== 0
  } finally {
    writeFileSync(path, text)
  }
}

function runCorpus(folder: string, corpus?: string): Promise<number | null> {
  const files = corpus === undefined ? [CORPUS] : corpus.split('|').map((name) => `${CORPUS}/${name}.test.ts`)
  const args = [
    join(ROOT, 'node_modules/vitest/vitest.mjs'),
    'run',
    '--bail=1',
    '--project=journeys',
    '--testTimeout=60000',
  ]
  const child = spawn(process.execPath, [...args, ...files], {
    cwd: folder,
    stdio: 'ignore',
    env: { ...process.env, TOLLGATE_ATTACKS: 'short' },
  })
  const timer = setTimeout(() => child.kill('SIGKILL'), RUN_MS)
  return new Promise((resolve) => {
    child.once('close', (code) => {
      clearTimeout(timer)
      resolve(code)
    })
  })
}

const [word = ''] = process.argv.slice(2)
const folder = copyOfSources()
try {
  if ((await runCorpus(folder)) !== 0) throw new Error('the corpus is red without a mutation')
  const missed: string[] = []
  for (const mutation of mutations.filter(({ guard }) => guard.includes(word))) {
    const isNoticed = await noticed(folder, mutation)
    process.stdout.write(`${isNoticed ? 'noticed' : 'MISSED '} without ${mutation.guard}\n`)
    if (!isNoticed) missed.push(mutation.guard)
  }
  process.exitCode = missed.length === 0 ? 0 : 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
