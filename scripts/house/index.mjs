// `npm run house`: prints the figures; `-- check` compares them with the written ones and checks the names of the
// change; `-- write [--why "reason"]` writes the figures down; `-- fold` adds the reasons up; `-- draw 60` draws
// sentences and names.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { changedFiles } from '../changed-files.mjs'
import { fail, root } from '../install.mjs'
import { findCommitsWithoutBody } from '../text/commit-bodies.mjs'
import { textFiles } from '../text/files.mjs'
import { findFigureFaults, findLineFaults, findNameFaults } from './check.mjs'
import { drawSample } from './draw.mjs'
import { shrinkExceptions } from './exception-lists.mjs'
import { measure } from './measure.mjs'
import { formatReport } from './report.mjs'
import { readRepository } from './sources.mjs'
import {
  compareFigures,
  foldReasons,
  readWrittenFigures,
  writeBetter,
  writeWithReason,
} from './written-figures.mjs'

const FOLDER = join(root, 'scripts/house')

const COMMANDS = { print, check, write, fold: () => foldReasons(FOLDER), draw }

const { positionals, values } = parseArgs({ allowPositionals: true, options: { why: { type: 'string' } } })
const [command = 'print', ...parameters] = positionals
const run = Object.hasOwn(COMMANDS, command) ? COMMANDS[command] : undefined
if (!run) fail(`No command ${command}. There are ${Object.keys(COMMANDS).join(', ')}.`)
run(...parameters)

function print() {
  const { figures } = measure(readRepository())
  process.stdout.write(formatReport(figures, findCommitsWithoutBody()))
}

function check() {
  const repository = readRepository()
  const { figures, facts } = measure(repository)
  const changed = new Set(changedFiles())
  const faults = [
    ...findFigureFaults(figures, readWrittenFigures(FOLDER), (path) => changed.has(path)),
    ...findNameFaults(facts, repository.glossary),
    ...findLineFaults(repository.sources),
  ]
  for (const fault of faults) process.stderr.write(`${fault}\n`)
  process.exitCode = faults.length === 0 ? 0 : 1
}

function write() {
  const { glossary, ...repository } = readRepository()
  const { figures, facts } = measure(repository)
  shrinkExceptions(facts, glossary)
  if (values.why) {
    writeWithReason(FOLDER, figures, values.why.trim())
    return
  }
  writeBetter(FOLDER, figures)
  const worse = compareFigures(figures, readWrittenFigures(FOLDER))
  if (worse.length > 0) fail(findFigureFaults(figures, readWrittenFigures(FOLDER)).join('\n'))
}

function draw(count = '60') {
  const seed = spawnSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' }).stdout.trim()
  const { sources } = readRepository()
  const documents = [...textFiles()].filter(({ path }) => path.endsWith('.md'))
  process.stdout.write(`seed ${seed}\n`)
  for (const line of drawSample(sources, documents, { seed, count: Number(count) }))
    process.stdout.write(`${line}\n`)
}
