import { describe, expect, test } from 'vitest'
import { best, filled, growthOf } from './growth.ts'
import { reportAttacks } from './index.ts'
import { dataPlaneFiles, filesMakingPatterns, findPatterns, patternsIn } from './patterns/find-patterns.ts'
import { faultOf, hardTexts } from './patterns/judge-pattern.ts'

/**
 * Patterns that are not linear but never see text of a caller or an upstream: their input comes from the
 * operator or from the sources. Rewrite a new pattern so that it is linear, and list it here only if that is
 * impossible.
 */
const OF_OPERATORS: ReadonlySet<string> = new Set([
  // Name of a converter in a channel's advanced routes.
  String.raw`(?:_to_|->|→)(\w+)$`,
  // Base addresses of channels.
  String.raw`\/\{model\}.*$`,
  String.raw`[^{}]*(?:\.[a-z0-9-]+){2}(?::\d+)?$`,
  // Addresses in the built-in provider definitions.
  String.raw`^https?:\/\/[^/]+.*[^/]$`,
  String.raw`\/services\/.*$`,
])

describe('regular expressions of the data plane', () => {
  const patterns = findPatterns()

  test('the finder finds the regular expressions of all data plane files', () => {
    expect(dataPlaneFiles().length).toBeGreaterThan(500)
    expect(patterns.length).toBeGreaterThan(300)
    for (const { place, source, flags } of patterns)
      expect(() => new RegExp(source, flags), place).not.toThrow()
  })

  test('no regular expression has a form that can take more than linear time', () => {
    const faults = patterns
      .filter(({ source }) => !OF_OPERATORS.has(source))
      .flatMap(({ place, source, flags }) => {
        const fault = faultOf(source, flags)
        return fault === undefined ? [] : [`${place} /${source}/${flags}: ${fault}`]
      })
    expect(faults).toEqual([])
  })

  test('no other file builds a regular expression at run time than the one whose parts are constants', () => {
    expect(filesMakingPatterns()).toEqual(['apps/server/src/relay/tasks/base64-member.ts'])
  })

  test('no regular expression takes more than six times as long for four times its slowest text', () => {
    const grown: string[] = []
    const seen = new Set<string>()
    for (const { place, source, flags } of patterns) {
      const key = `/${source}/${flags}`
      if (OF_OPERATORS.has(source) || seen.has(key)) continue
      seen.add(key)
      const pattern = new RegExp(source, flags.replaceAll(/[gy]/g, ''))
      const hardest = hardestText(pattern)
      const growth = growthOf({
        name: key,
        input: (size) => `${filled(hardest, size - 1)}\0`,
        run: (text) => pattern.test(text),
      })
      if (growth.isTooMuch)
        grown.push(`${place} ${key} on ${JSON.stringify(hardest)}: ${growth.smallMs} -> ${growth.largeMs} ms`)
    }
    reportAttacks({ kind: 'patterns', count: seen.size, of: seen.size })
    expect(grown).toEqual([])
  })
})

/** Finds the slowest text by timing a small example of each. */
function hardestText(pattern: RegExp): string {
  const units = hardTexts(pattern.source, pattern.flags)
  const times = units.map((unit) => {
    const text = `${filled(unit, 4_000)}\0`
    return best(() => pattern.test(text), 3)
  })
  return units[times.indexOf(Math.max(...times))] ?? ' '
}

describe('the pattern checker', () => {
  test.each([
    [String.raw`\s*--(?:fast|relax)\b`, 'gi'],
    [String.raw`(a+)+$`, ''],
    [String.raw`^(a+)+$`, ''],
    [String.raw`^(?:\w+\s?)+$`, ''],
    [String.raw`[,\s]+$`, ''],
    [String.raw`^.*a.*b`, ''],
    [String.raw`a[a-z]*;`, ''],
    [String.raw`^\s*\s*x`, ''],
    [String.raw`(?:--(?:dur|fps))+\s+\S+`, 'gi'],
    [String.raw`"x"|\d+;`, ''],
  ])('refuses /%s/%s', (source, flags) => {
    expect(faultOf(source, flags)).toBeDefined()
  })

  test.each([
    [String.raw`^\s*\{`, ''],
    [String.raw`\s+`, 'g'],
    [String.raw`^data:([^;,]*)((?:;[^;,]*)*),`, 'i'],
    [String.raw`--(?:fast|relax)\b`, 'gi'],
    [String.raw`"type"\s*:\s*"url"`, ''],
    [String.raw`\b[A-Za-z0-9]{32,}\b`, 'g'],
    [String.raw`^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$`, ''],
  ])('accepts /%s/%s', (source, flags) => {
    expect(faultOf(source, flags)).toBeUndefined()
  })
})

test('the finder tells regular expressions from divisions, strings, comments and templates', () => {
  const text = [
    'const a = b / c / d // no /x/',
    'const e = \'/no/\' + `/no/${f / g}/no/` + "/no/"',
    'return /yes[/]1/gi',
    'const h = [/yes2/, (i) => /yes3\\//.test(i)] /* /no/ */',
    'const j = `${k.replace(/yes4/g, `${l / m}`)}`',
  ].join('\n')
  expect(patternsIn(text).map(({ source }) => source)).toEqual(['yes[/]1', 'yes2', 'yes3\\/', 'yes4'])
})
