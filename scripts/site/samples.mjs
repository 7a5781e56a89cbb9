// Checks that the code samples of pages can be read by what they are written for.
import { spawnSync } from 'node:child_process'
import { stripTypeScriptTypes } from 'node:module'

/** Excerpts name a file behind the language; `check-text.mjs` compares them with that file. */
const FENCE = /^```(\w+)\n([\s\S]*?)^```$/gm

/**
 * Returns one line for each sample with a fault.
 * @param {import('./pages.mjs').Pages} pages
 */
export function faultySamples(pages) {
  const faults = []
  for (const [path, text] of pages)
    for (const [, language, code] of text.matchAll(FENCE)) {
      const fault = checks[language]?.(code)
      if (fault) faults.push(`${path}: ${language}: ${fault}: ${code.split('\n', 1)[0]}`)
    }
  return faults
}

/** @param {import('./pages.mjs').Pages} pages */
export function countSamples(pages) {
  return [...pages.values()].flatMap((text) => [...text.matchAll(FENCE)]).length
}

const shell = (code) => {
  const { status, stderr, error } = spawnSync('sh', ['-n'], { input: code, encoding: 'utf8' })
  return error || status === 0 ? '' : stderr.trim()
}
const typescript = (code) => failureOf(() => stripTypeScriptTypes(code))

const checks = {
  json: (code) => failureOf(() => JSON.parse(code)),
  sh: shell,
  bash: shell,
  ts: typescript,
  typescript,
}

function failureOf(read) {
  try {
    read()
    return ''
  } catch (error) {
    return String(error)
  }
}
