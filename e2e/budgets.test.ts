import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { beforeAll, expect, it } from 'vitest'
import { z } from 'zod'

/**
 * Limits the size of compressed script that a page of the built console loads. Styles, fonts and images do
 * not delay a page and are not counted.
 */

const DIST = join(import.meta.dirname, '..', 'apps', 'console', 'dist')
const KB = 1000
const FIRST_VISIT_BYTES_MAX = 205 * KB
const PAGE_BYTES_MAX = 500 * KB

const chunkSchema = z.object({
  file: z.string(),
  isEntry: z.boolean().default(false),
  imports: z.array(z.string()).default([]),
  dynamicImports: z.array(z.string()).default([]),
})
type Chunk = z.output<typeof chunkSchema>

let chunks: Readonly<Record<string, Chunk>>

beforeAll(() => {
  const path = join(DIST, '.vite', 'manifest.json')
  if (!existsSync(path)) throw new Error('the console is not built: npm run build')
  chunks = z.record(z.string(), chunkSchema).parse(JSON.parse(readFileSync(path, 'utf8')))
})

const LIBRARY = 'src/shared/design/component-library.tsx'
const PAGE = /^src\/features\/.*\/[\w-]*page\.tsx$/
const pages = () => Object.keys(chunks).filter((name) => PAGE.test(name))

it.each(['home', 'login', 'register', 'reset'])(
  'a first visit to the %s page stays within its script budget',
  (feature) => {
    const fetched = closure(
      [...entries(), ...libraryOf(feature), ...pages().filter((name) => name.includes(`/${feature}/`))],
      staticOnly,
    )
    expect(bytesOf(fetched)).toBeLessThanOrEqual(FIRST_VISIT_BYTES_MAX)
  },
)

it('every page stays within its script budget, including what it loads later by itself', () => {
  const known = closure(entries(), staticOnly)
  const sizes = pages().map((page) => {
    const folder = page.split('/').slice(0, 3).join('/')
    const needed = closure([page], (chunk, name) =>
      name.startsWith(`${folder}/`) ? [...chunk.imports, ...chunk.dynamicImports] : chunk.imports,
    )
    return { page, bytes: bytesOf(new Set([...needed].filter((name) => !known.has(name)))) }
  })
  expect(sizes.length).toBeGreaterThan(10)
  expect(sizes.filter(({ bytes }) => bytes > PAGE_BYTES_MAX)).toEqual([])
})

const entries = () => Object.keys(chunks).filter((name) => chunks[name]?.isEntry)
/** The router loads the component library with every page except those with `needsLibrary: false`. */
function libraryOf(feature: string): readonly string[] {
  const description = readFileSync(join(DIST, '..', 'src', 'features', feature, 'feature.ts'), 'utf8')
  return description.includes('needsLibrary: false') ? [] : [LIBRARY]
}

const staticOnly = (chunk: Chunk) => chunk.imports

function closure(
  names: readonly string[],
  next: (chunk: Chunk, name: string) => readonly string[],
): ReadonlySet<string> {
  const known = new Set<string>()
  const waiting = [...names]
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    const chunk = chunks[name]
    if (!chunk || known.has(name)) continue
    known.add(name)
    waiting.push(...next(chunk, name))
  }
  return known
}

function bytesOf(names: ReadonlySet<string>): number {
  const files = new Set([...names].map((name) => chunks[name]?.file ?? ''))
  const scripts = [...files].filter((file) => file.endsWith('.js'))
  return scripts.reduce((sum, file) => sum + gzipSync(readFileSync(join(DIST, file)), { level: 9 }).length, 0)
}
