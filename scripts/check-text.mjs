// Checks words, documents and commit subjects: retired words of the glossary, links and paths that lead nowhere,
// and subjects that do not follow the rule in CONTRIBUTING.md.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { root } from './install.mjs'
import { findBodyFaults } from './text/commit-bodies.mjs'
import { findCommitFaults } from './text/commit-subjects.mjs'
import { textFiles } from './text/files.mjs'
import { findDeadMentions, findStaleExcerpts } from './text/mentioned-paths.mjs'
import { findRetiredWords, readRetiredWords } from './text/retired-words.mjs'

const retired = readRetiredWords(readFileSync(join(root, 'docs/glossary.md'), 'utf8'))
const repository = {
  exists: (path) => existsSync(join(root, path)),
  scripts: JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).scripts,
}

const faults = [...findCommitFaults(), ...findBodyFaults()]
for (const file of textFiles()) {
  faults.push(...findRetiredWords(file, retired))
  if (file.path.endsWith('.md'))
    faults.push(...findDeadMentions(file, repository), ...findStaleExcerpts(file, readText))
}

function readText(path) {
  return repository.exists(path) ? readFileSync(join(root, path), 'utf8') : undefined
}

for (const fault of faults) process.stderr.write(`${fault}\n`)
process.exit(faults.length === 0 ? 0 : 1)
