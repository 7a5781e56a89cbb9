// `npm run house`: prints the figures; `-- check` compares them with the written ones and checks the names of the
// change; `-- write [--why "reason"]` writes the figures of the change down, `--all` also what earlier changes left
// out; `-- fold` adds the reasons up; `-- draw 60` draws sentences and names.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { fail, root } from '../install.mjs'
import { findCommitsWithoutBody } from '../text/commit-bodies.mjs'
import { textFiles } from '../text/files.mjs'
import { findFigureFaults, findLineFaults, findNameFaults } from './check.mjs'
import { drawSample } from './draw.mjs'
import { shrinkExceptions } from './exception-lists.mjs'
import { measure } from './measure.mjs'
import { formatReport } from './report.mjs'
import { readRepository } from './sources.mjs'
import { readStateBefore } from './state-before.mjs'
import {
  compareFigures,
  foldReasons,
  readWrittenFigures,
  writeBetter,
  writeWithReason,
} from './written-figures.mjs'

const FOLDER = join(root, 'scripts/house')

const COMMANDS = { print, check, write, fold: () => foldReasons(FOLDER), draw }

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { why: { type: 'string' }, all: { type: 'boolean' } },
})
const [command = 'print', ...parameters] = positionals
const run = Object.hasOwn(COMMANDS, command) ? COMMANDS[command] : undefined
if (!run) fail(`No command ${command}. There are ${Object.keys(COMMANDS).join(', ')}.`)
run(...parameters)

function print() {
  const { figures } = measure(readRepository())
  process.stdout.write(formatReport(figures, findCommitsWithoutBody()))
}

function check() {
  const { repository, figures, facts, before, expected } = compareWithBase()
  const faults = [
    ...findFigureFaults(figures, expected, before?.figures),
    ...findNameFaults({ facts, glossary: repository.glossary }, before),
    ...findLineFaults(repository.sources),
  ]
  for (const fault of faults) process.stderr.write(`${fault}\n`)
  process.exitCode = faults.length === 0 ? 0 : 1
}

/** With `--all`, or on the main branch, the code is compared with the written figures alone. */
function compareWithBase() {
  const repository = readRepository()
  const { figures, facts } = measure(repository)
  const before = values.all ? undefined : readStateBefore(repository, facts)
  const written = readWrittenFigures(FOLDER)
  return { repository, figures, facts, before, expected: before?.expect(written) ?? written }
}

function write() {
  const { repository, figures, facts, before, expected } = compareWithBase()
  shrinkExceptions(facts, repository.glossary)
  if (values.why) {
    writeWithReason(FOLDER, figures, values.why.trim(), expected)
    return
  }
  writeBetter(FOLDER, figures, expected)
  const worse = compareFigures(figures, expected).filter((figure) => figure.measured > figure.written)
  if (worse.length > 0) fail(findFigureFaults(figures, expected, before?.figures).join('\n'))
}

function draw(count = '60') {
  const seed = spawnSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' }).stdout.trim()
  const { sources } = readRepository()
  const documents = [...textFiles()].filter(({ path }) => path.endsWith('.md'))
  const sample = drawSample(sources, documents, { seed, count: Number(count) })
  process.stdout.write([`seed ${seed}`, ...sample, ''].join('\n'))
}
