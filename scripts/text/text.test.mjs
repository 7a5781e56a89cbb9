import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from '../install.mjs'
import { findBodyFault } from './commit-bodies.mjs'
import { faultOfSubject } from './commit-subjects.mjs'
import { findDeadMentions, findStaleExcerpts } from './mentioned-paths.mjs'
import { findRetiredWords, readRetiredWords } from './retired-words.mjs'

describe('the check of retired words', () => {
  const retired = readRetiredWords(readFileSync(join(root, 'docs/glossary.md'), 'utf8'))
  const found = (text, path = 'packages/kit/src/x.ts') => findRetiredWords({ path, text }, retired)
  const [name, use] = [...retired.names][0]
  const [word = ''] = [...retired.declared.keys()]
  const [phrase = ''] = [...retired.phrases.keys()]

  it('refuses every retired name of the glossary, in code and in documents', () => {
    for (const each of retired.names.keys()) expect(found(`import { ${each} } from './x.ts'`)).toHaveLength(1)
    expect(found(`\n\nCalls \`${name}\`.`, 'docs/x.md')).toEqual([`docs/x.md:3: ${name} (use ${use})`])
  })

  it('accepts names that only contain a retired one', () => {
    expect(found(`const my${name} = ${name}s`)).toEqual([])
  })

  it('refuses a retired English word only where code declares it', () => {
    expect(found(`export interface ${word} {}`)).toHaveLength(1)
    expect(found(`// ${word} of the week`)).toEqual([])
    expect(found(`type ${word} = string`, 'docs/x.md')).toEqual([])
  })

  it('refuses a retired phrase, but not in the changelog', () => {
    expect(found(`it('${phrase} 3: x')`)).toHaveLength(1)
    expect(found(phrase, 'CHANGELOG.md')).toEqual([])
  })
})

describe('the check of documents', () => {
  const repository = {
    exists: (path) => path === 'docs/adr/0001-x.md' || path === 'apps/server',
    scripts: { test: '' },
  }
  const dead = (text) => findDeadMentions({ path: 'docs/guides/x.md', text }, repository)

  it('refuses links, paths and scripts that do not exist', () => {
    expect(
      dead('[one](../adr/0001-x.md#context) `apps/server` `npm run test` [site](https://example.com/x)'),
    ).toEqual([])
    expect(dead('[two](../adr/0002-y.md) `packages/gone.ts` `npm run -s gone -- --to x`')).toEqual([
      'docs/guides/x.md: no file docs/adr/0002-y.md',
      'docs/guides/x.md: no file packages/gone.ts',
      'docs/guides/x.md: no script gone in package.json',
    ])
  })
})

const read = (path) => (path === 'a.ts' ? 'const a = 1\nconst b = 2\n' : undefined)
const stale = (text) => findStaleExcerpts({ path: 'docs/guides/x.md', text }, read)

describe('the check of code in guides', () => {
  it('accepts a part of the named file and refuses other code', () => {
    expect(stale('```ts a.ts\nconst b = 2\n```\n\n```ts\nconst c = 3\n```\n')).toEqual([])
    expect(stale('```ts a.ts\nconst b = 3\n```\n')).toEqual([
      'docs/guides/x.md: a.ts does not contain the code that begins with const b = 3',
    ])
    expect(stale('```ts gone.ts\nconst b = 2\n```\n')).toHaveLength(1)
  })
})

describe('the rule for commit subjects', () => {
  it.each(['fix(providers): read cached tokens from DeepSeek', 'docs: describe the settings'])(
    'accepts %s',
    (subject) => {
      expect(faultOfSubject(subject)).toBeUndefined()
    },
  )

  it.each([
    ['read cached tokens', 'not of the form'],
    ['fix(relay): mended', 'not of the form'],
    ['fix(relay): a size that there is not is told those that there are', 'does not begin with a verb'],
    ['fix(relay): Read cached tokens', 'does not begin with a verb'],
    ['fix(relay): read cached tokens.', 'full stop'],
    [`fix(relay): read ${'x'.repeat(72)}`, 'longer than 72'],
  ])('refuses %s', (subject, fault) => {
    expect(faultOfSubject(subject)).toContain(fault)
  })
})

describe('the rule for commit bodies', () => {
  it.each([
    'fix(relay): end the hold of a cancelled call\n\nThe caller paid for a call that nobody answered.',
    'perf: read the header once\n\n2.1 µs a call instead of 3.4.\n\nRefs: #12',
    'feat(console): show the balance',
    'refactor: fix the name of a file',
  ])('accepts %j', (message) => {
    expect(findBodyFault(message)).toBeUndefined()
  })

  it.each([
    'fix(relay): end the hold of a cancelled call',
    'perf(dialects)!: read the header once\n\n',
    'fix: read the header\n\nCo-authored-by: A <a@example.com>\nRefs: #12',
  ])('refuses %j', (message) => {
    expect(findBodyFault(message)).toContain('reason')
  })
})
