import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  isGuardedOption,
  isOptionKey,
  optionDefinition,
  optionKeys,
  parseOption,
  settingTabs,
} from './options/index.ts'
import type { Words } from './options/definition.ts'
import { missingNeeds, missingText, neededKeys } from './options/needs.ts'
import { systemTab } from './options/system/tab.ts'
import type { SettingSection } from './options/section.ts'
import type { OptionKey } from './options/index.ts'

const textOf = (key: OptionKey, text: string) => {
  const parsed = parseOption(key, text)
  return parsed.type === 'accepted' ? parsed.text : 'refused'
}

/** Splits a text into words, or Chinese text into characters. Conjunctions and plural endings are ignored. */
function partsOf(text: string): readonly string[] {
  const parts = text.toLowerCase().match(/\p{Script=Han}|[a-z0-9]+/gu) ?? []
  return parts.filter((part) => !JOINING.has(part)).map((part) => part.replace(/(?<=[a-z]{2})s$/, ''))
}

const JOINING = new Set(
  'a an the of to in is are by for at it its with and or has 的 是 和 或 与 为 时 启 用 允 许'.split(' '),
)

/** Lengths ignore surrounding whitespace. */
function expectBoth({ en, zh }: Words, charactersMin: number): void {
  expect(en.trim().length).toBeGreaterThanOrEqual(charactersMin)
  expect(zh.trim().length).toBeGreaterThanOrEqual(charactersMin)
}

const sections: readonly SettingSection[] = settingTabs.flatMap((tab) => tab.sections)

describe('every option', () => {
  test.each(optionKeys)('%s accepts its own default and prints it in normal form', (key) => {
    const text = optionDefinition(key).default ?? '{}'
    const parsed = parseOption(key, text)
    expect(parsed.type).toBe('accepted')
    expect(textOf(key, textOf(key, text))).toBe(textOf(key, text))
  })

  test.each(optionKeys)('%s has a label and an explanation in both languages', (key) => {
    const { label, help, allowed, choices } = optionDefinition(key)
    for (const words of [label, ...Object.values(choices)]) expectBoth(words, 1)
    for (const words of [help, allowed]) expectBoth(words, 3)
  })

  test.each(optionKeys)('the help of %s contains more than its label', (key) => {
    const { label, help } = optionDefinition(key)
    for (const language of ['en', 'zh'] as const) {
      const known = partsOf(label[language])
      const said = partsOf(help[language]).filter((part) => !known.includes(part))
      expect(said.length, `${help[language]} / ${label[language]}`).toBeGreaterThan(1)
    }
  })

  test.each(optionKeys.filter((key) => optionDefinition(key).kind !== 'text'))(
    '%s accepts or refuses any text and never throws',
    (key) => {
      fc.assert(
        fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
          const parsed = parseOption(key, text)
          if (parsed.type === 'accepted') expect(textOf(key, parsed.text)).toBe(parsed.text)
        }),
        { numRuns: 50 },
      )
    },
  )

  test('the help of the quota for one currency unit advises against changing it', () => {
    const { help } = optionDefinition('QuotaPerUnit')
    expect(help.en).toMatch(/best left alone.*halves every balance shown/)
    expect(help.zh).toMatch(/不建议修改.*所有余额的显示金额减半/)
  })

  test('a switch with alternative requirements reports what is missing of each', () => {
    const switchOf = { needs: ['id'], needsOneOf: [['found'], ['name', 'keys'], ['keys', 'profile']] }
    const missing = (...filled: string[]) => {
      const found = missingNeeds(switchOf, (key) => filled.includes(key))
      return found && missingText(found, { label: (key) => key, or: ' | ' })
    }
    expect(missing()).toBe('id, found | name + keys | keys + profile')
    expect(missing('id', 'keys')).toBe('found | name | profile')
    expect(missing('id', 'keys', 'name')).toBeUndefined()
    expect(missing('found')).toBe('id')
    expect(neededKeys(switchOf)).toEqual(['id', 'found', 'name', 'keys', 'profile'])
  })

  test('every key that a switch needs is an option', () => {
    for (const key of optionKeys)
      for (const needed of neededKeys(optionDefinition(key))) expect(isOptionKey(needed)).toBe(true)
  })
})

/** Options of the affected sections that decide neither access to accounts nor where a secret is sent. */
const UNGUARDED = new Set<string>([
  // A link in the top bar.
  'general_setting.docs_link',
  // A picture in the top bar.
  'Logo',
])

test('settings for sign-in, mail, secrets and destinations require a recent sign-in', () => {
  const deciding = optionKeys.filter((key) => {
    const { isSecret, allowed } = optionDefinition(key)
    return isSecret || decidesAccess(key) || allowed.en.includes('http://')
  })
  expect(deciding.length).toBeGreaterThan(40)
  expect(deciding.filter((key) => !isGuardedOption(key) && !UNGUARDED.has(key))).toEqual([])
})

/**
 * The system tab defines how people sign in and what the gateway connects to. Its payment section also has
 * harmless settings.
 */
function decidesAccess(key: string): boolean {
  const { sections } = systemTab
  return sections.some((one) => one.key !== 'payment' && Object.hasOwn(one.settings, key))
}

test('every key that a section needs is an option', () => {
  expect(sections.filter(({ needs }) => needs !== undefined && !isOptionKey(needs))).toEqual([])
})

test('the secret options are exactly those that contain a secret', () => {
  expect(optionKeys.filter((key) => optionDefinition(key).isSecret).toSorted()).toEqual([
    'AlertReceivers',
    'BackupS3Secret',
    'EpayKey',
    'GitHubClientSecret',
    'LangfuseSecretKey',
    'LinuxDOClientSecret',
    'LogNatsPassword',
    'LogS3Secret',
    'LogWebhookSecret',
    'SMTPToken',
    'TelegramBotToken',
    'TurnstileSecretKey',
    'WeChatServerToken',
    'WorkerValidKey',
    'oidc.client_secret',
  ])
})

test.each([
  ['QuotaPerUnit', '0'],
  ['QuotaPerUnit', '1e309'],
  ['QuotaPerUnit', 'NaN'],
  ['QuotaPerUnit', ''],
  ['QuotaPerUnit', '0x10'],
  ['QuotaPerUnit', '2.5'],
  ['DataExportInterval', '0'],
  ['RetryTimes', '-1'],
  ['RebatePercentage', '101'],
  ['gemini.thinking_adapter_budget_tokens_percentage', '0.05'],
  ['claude.thinking_adapter_budget_tokens_percentage', '1.01'],
  ['PasswordLoginEnabled', 'yes'],
  ['ModelRatio', '{"a":-1}'],
  ['ModelRatio', '{"a":1e999}'],
  ['ModelRatio', '{"a":"1"}'],
  ['ModelRatio', '[1]'],
  ['ModelRatio', '{"a":1'],
  ['ModelRatio', 'null'],
  ['GroupGroupRatio', '{"vip":{"default":-0.5}}'],
  ['UserUsableGroups', '{"vip":1}'],
  ['Chats', '{"a":"b"}'],
  ['ServerAddress', 'javascript:alert(1)'],
  ['ServerAddress', 'example.com'],
  ['EmailDomainWhitelist', 'gmail.com,not a domain'],
  ['billing_setting.hold_mode', 'generous'],
  ['DataExportDefaultTime', 'year'],
  ['TopUpLink', 'javascript:alert(1)'],
  ['TopUpLink', 'java\tscript:alert(1)'],
  ['TopUpLink', ' \u0001javascript:alert(1)'],
  ['TopUpLink', 'data:text/html,x'],
  ['TopUpLink', '//other.example/x'],
  ['TopUpLink', '/\\other.example/x'],
  ['TopUpLink', 'shop.example'],
  ['Logo', 'JavaScript:alert(1)'],
  ['Logo', 'data:text/html;base64,AAAA'],
  ['Logo', 'data:image/svg+xml,<svg onload="x()"/>'],
  ['Logo', 'file:///etc/passwd'],
  ['WeChatAccountQRCodeImageURL', 'vbscript:x'],
  ['Chats', '[{"a":"javascript:alert(1)"}]'],
  ['Chats', '[{"a":" java\\nscript:alert(1)"}]'],
  ['Chats', '[{"good":"https://chat.example/"},{"a":"data:text/html,x"}]'],
  ['Chats', '[{"a":"blob:https://x/1"}]'],
] as const)('%s refuses %s', (key, text) => {
  expect(parseOption(key, text).type).toBe('refused')
})

test.each([
  ['TopUpLink', 'https://shop.example/codes/'],
  ['TopUpLink', '/wallet'],
  ['Logo', '/logo.png'],
  ['Logo', 'http://pictures.example/logo.svg?v=2'],
  ['Logo', 'data:image/png;base64,iVBORw0KGgo='],
  ['WeChatAccountQRCodeImageURL', 'https://pictures.example/qr.png'],
  ['Chats', '[{"a":"https://chat.example/#/?key={key}"},{"b":"opencat://team?token={key}"},{"c":"fluent"}]'],
] as const)('%s accepts %s', (key, text) => {
  expect(parseOption(key, text).type).toBe('accepted')
})

test('the error for a refused map names the entry', () => {
  expect(parseOption('ModelRatio', '{"good":1,"bad":-1}')).toEqual({ type: 'refused', where: 'bad' })
})

test.each([
  ['ServerAddress', ' https://gate.example/ ', 'https://gate.example'],
  ['PasswordLoginEnabled', '1', 'true'],
  ['PasswordLoginEnabled', 'F', 'false'],
  ['RetryTimes', '+3', '3'],
  ['EmailDomainWhitelist', 'A.com, ,b.org,', 'a.com,b.org'],
  ['AutomaticDisableKeywords', ' Quota \n\n EXCEEDED', 'quota\nexceeded'],
] as const)('%s stores %j as %j', (key, text, stored) => {
  expect(textOf(key, text)).toBe(stored)
})

test('names that lead to a prototype are dropped from maps', () => {
  const parsed = parseOption('ModelRatio', '{"__proto__":2,"constructor":3,"gpt-4o":1.25}')
  expect(parsed).toMatchObject({ type: 'accepted', value: new Map([['gpt-4o', 1.25]]) })
})
