// Collects the licences of the packages whose code is in the bundle.
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../install.mjs'

const FILE = /^(?:licen[cs]e|copying|notice)/i
const PACKAGE = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//

/** Packages of the console whose files are copied; Vite lists those whose code it bundles. */
const COPIED = ['@fontsource-variable/inter', '@fontsource-variable/jetbrains-mono'].map(
  (name) => `node_modules/${name}`,
)

/**
 * @param {Iterable<string>} inputs paths of bundled files, relative to the repository
 * @returns {string} name, version and licence text of each package, in order of their names
 */
export function licencesOf(inputs) {
  const folders = new Set([...COPIED, ...[...inputs].flatMap((input) => PACKAGE.exec(input)?.[1] ?? [])])
  const texts = [...folders].map(licenceOf)
  const byName = new Map(texts.map((text) => [text.split('\n', 1)[0], text]))
  return [...byName.keys()]
    .sort()
    .map((name) => byName.get(name))
    .join(`\n${'-'.repeat(80)}\n\n`)
}

function licenceOf(folder) {
  const path = join(root, folder)
  const { name, version, license } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'))
  if (!license) throw new Error(`${name} names no licence`)
  const files = readdirSync(path, { withFileTypes: true }).filter(
    (file) => file.isFile() && FILE.test(file.name),
  )
  const texts = files.map((file) => readFileSync(join(path, file.name), 'utf8').trim())
  return `${name} ${version}\n${typeof license === 'string' ? license : license.type}\n\n${texts.join('\n\n')}\n`
}
