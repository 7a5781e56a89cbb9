import { basename, join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { root } from '../install.mjs'
import { bundleProgram } from './build.mjs'
import { licencesOf } from './licences.mjs'
import { threads } from './own-urls.mjs'

/** What a start reads, on an embedded database; each further megabyte costs memory and time. */
const START_BYTES_MAX = 6_100_000

let bundle
beforeAll(async () => {
  bundle = await bundleProgram(join(root, 'dist/program'))
})

/** The outputs that are loaded together with one of them. */
function loadedWith(name, found = new Set()) {
  if (found.has(name)) return found
  found.add(name)
  for (const { kind, path } of bundle.outputs[name].imports)
    if (kind === 'import-statement' && path in bundle.outputs) loadedWith(path, found)
  return found
}

/** The outputs that are loaded with the entry of this source. */
function outputsOf(source) {
  return [
    ...loadedWith(Object.keys(bundle.outputs).find((name) => bundle.outputs[name].entryPoint === source)),
  ]
}

const inputsOf = (outputs) => outputs.flatMap((name) => Object.keys(bundle.outputs[name].inputs))

describe('the bundle', () => {
  it('has an entry for the program and each thread', () => {
    const names = Object.keys(bundle.outputs).map((path) => basename(path))
    for (const name of ['program', ...Object.keys(threads)]) expect(names).toContain(`${name}.js`)
  })

  it('loads no library that few gateways need when it starts', () => {
    const started = outputsOf('apps/server/src/main.ts')
    const rare =
      /node_modules\/(?:mysql2|pg|nodemailer|@redis\/client|@fastify\/swagger|gpt-tokenizer|yaml)\//
    expect(inputsOf(started).filter((input) => rare.test(input))).toEqual([])
    expect(started.reduce((sum, name) => sum + bundle.outputs[name].bytes, 0)).toBeLessThan(START_BYTES_MAX)
  })

  it.each(Object.entries(threads))('loads no library for queries or schemas in the %s', (_name, source) => {
    const inputs = inputsOf(outputsOf(source))
    expect(inputs).toContain(source)
    expect(inputs.filter((input) => /node_modules\/(?:kysely|zod|fastify)\//.test(input))).toEqual([])
  })

  it('needs no compiled module', () => {
    expect(bundle.inputs.filter((input) => input.endsWith('.node'))).toEqual([])
  })

  it('names the licence of every package in it', () => {
    const text = licencesOf(bundle.inputs)
    for (const name of ['fastify', 'undici', 'bcryptjs', '@fontsource-variable/inter'])
      expect(text).toMatch(new RegExp(`^${name} \\d`, 'm'))
    expect(text).not.toMatch(/GPL/)
  })
})
