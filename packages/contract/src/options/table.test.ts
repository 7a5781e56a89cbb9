import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { settingTabs } from './index.ts'
import { integer, secret } from './kinds.ts'
import type { SettingSection } from './section.ts'
import { parseText, settingTable } from './table.ts'

const about = {
  label: { en: 'Tries', zh: '次数' },
  help: { en: 'How often it is tried.', zh: '尝试的次数。' },
}
const sections: readonly SettingSection[] = settingTabs.flatMap((tab) => tab.sections)

/** All sections, one of them with additional settings. */
function sectionsWith(sectionKey: string, added: SettingSection['settings']): readonly SettingSection[] {
  return sections.map((one) =>
    one.key === sectionKey ? { ...one, settings: { ...one.settings, ...added } } : one,
  )
}

test('a setting added to a section is validated by its declaration', () => {
  const { definitions, guarded } = settingTable(
    sectionsWith('monitoring', { 'new.tries': integer(3, { ...about, min: 1, max: 5 }) }),
  )
  const definition = definitions.get('new.tries')
  expect(definition).toMatchObject({ kind: 'integer', default: '3', ...about })
  expect(definition?.allowed).toEqual({ en: 'a whole number from 1 to 5', zh: '1 到 5 之间的整数' })
  expect(definition && parseText(definition, ' +4')).toEqual({ type: 'accepted', value: 4, text: '4' })
  expect(definition && parseText(definition, '6').type).toBe('refused')
  expect(guarded.has('new.tries')).toBe(false)
})

test('settings of a guarded section and all secrets require a recent sign-in', () => {
  const inGuarded = settingTable(
    sectionsWith('github', { 'new.tries': integer(3, { ...about, min: 1, max: 5 }) }),
  )
  expect(inGuarded.guarded.has('new.tries')).toBe(true)
  const ofSecret = settingTable(sectionsWith('monitoring', { 'new.secret': secret(about) }))
  expect(ofSecret.guarded.has('new.secret')).toBe(true)
})

test('a key declared by two sections is rejected', () => {
  expect(() => settingTable(sectionsWith('monitoring', { RetryTimes: secret(about) }))).toThrow(
    'RetryTimes is declared twice',
  )
})

test('each setting is named only where it is declared and where it is read, and the guide shows its section', () => {
  const root = fileURLToPath(new URL('../../../../', import.meta.url))
  const guide = readFileSync(`${root}docs/guides/add-a-setting.md`, 'utf8')
  const file = readFileSync(new URL('operation/check-in.ts', import.meta.url), 'utf8')
  expect(guide).toContain(`\`\`\`ts\n${file}\`\`\``)
  const naming = globSync('{apps,packages}/*/src/**/*.{ts,tsx}', { cwd: root })
    .filter((path) => !path.includes('.test.'))
    .filter((path) => readFileSync(`${root}${path}`, 'utf8').includes('CheckInMaxQuota'))
  expect(naming.toSorted()).toEqual([
    'apps/server/src/services/account/check-in.ts',
    'packages/contract/src/options/operation/check-in.ts',
    // The name that new-api has for it.
    'packages/importer/src/family/options.ts',
  ])
})
