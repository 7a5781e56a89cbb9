// The source files that count: the code that ships, and the scripts and benchmarks, without their tests.
import { textFiles } from '../text/files.mjs'

const CODE = /\.(?:tsx?|mjs)$/
const PACKAGE = /^(?:(?:apps|packages)\/[^/]+(?=\/src\/)|bench(?=\/)|scripts(?=\/))/
const LEFT_OUT = /\.(?:test|deploy)\.\w+$|\/(?:test|generated|fixtures|recordings)\//
export const GLOSSARY = 'docs/glossary.md'

/** @typedef {{ path: string, text: string }} TextFile */

/** The package of a source file, for example `packages/kit`, or undefined if the file does not count. */
export function findPackage(path) {
  return CODE.test(path) && !LEFT_OUT.test(path) ? PACKAGE.exec(path)?.[0] : undefined
}

export function isReference(path) {
  return /^docs\/reference\/.*\.md$/.test(path)
}

/**
 * Everything that is measured.
 * @returns {{ sources: TextFile[], references: TextFile[], glossary: string }}
 */
export function readRepository() {
  const sources = []
  const references = []
  let glossary = ''
  for (const file of textFiles()) {
    if (findPackage(file.path)) sources.push(file)
    else if (isReference(file.path)) references.push(file)
    else if (file.path === GLOSSARY) glossary = file.text
  }
  return { sources, references, glossary }
}
