import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { root } from '../install.mjs'
import { signRelease, writeChecksums } from './checksums.mjs'
import { reasonAgainst } from './release-version.mjs'

describe('the version of a release', () => {
  const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8')
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

  it('the present one is semantic, and its upgrade notes say whether it can go back', () => {
    expect(reasonAgainst(version, changelog)).toBeUndefined()
  })

  it.each(['1.0', 'v1.0.0', '01.0.0', '1.0.0+build'])('%s is refused', (wrong) => {
    expect(reasonAgainst(wrong, changelog)).toBe(`${wrong} is no semantic version.`)
  })

  it('a version that the changelog does not know is refused', () => {
    expect(reasonAgainst('9.9.9', changelog)).toBe('CHANGELOG.md has no section for 9.9.9.')
  })

  it('a version whose upgrade notes are silent is refused', () => {
    expect(reasonAgainst('9.9.9', '## 9.9.9 – 2030\n\n### Upgrade notes\n\n| From | 9 |\n')).toContain(
      'do not say: To, Takes about, Can it go back',
    )
  })
})

describe('the checksums', () => {
  let folder
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tollgate-checksums-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  it('name every file in the format of sha256sum', () => {
    writeFileSync(join(folder, 'b'), 'b')
    writeFileSync(join(folder, 'a'), 'a')
    const lines = readFileSync(writeChecksums(folder), 'utf8').split('\n')
    expect(lines.map((line) => line.slice(64))).toEqual(['  a', '  b', ''])
    expect(lines[0]).toMatch(/^ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb/)
  })

  it('are not signed without a key', () => {
    expect(signRelease(folder, { key: undefined, version: '1.0.0' })).toBeUndefined()
  })
})
