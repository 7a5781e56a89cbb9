import { settingTabs } from '@tollgate/contract/options/index'
import { expect, it } from 'vitest'
import { findSettings } from './find-settings.ts'

const found = (typed: string) =>
  findSettings(settingTabs, typed).map(({ tab, section, field }) => field?.key ?? `${tab.key}/${section.key}`)

it('finds a setting by its name in either language and by its key', () => {
  expect(found('Retries')[0]).toBe('RetryTimes')
  expect(found('失败重试')[0]).toBe('RetryTimes')
  expect(found('retrytimes')).toEqual(['RetryTimes'])
})

it('finds a setting by words of its help and of its choices', () => {
  expect(found('465')).toContain('SMTPPort')
  expect(found('小时')).toContain('DataExportDefaultTime')
})

it('finds a setting by a word of its section and a word of its own', () => {
  expect(found('telegram 机器人')).toContain('TelegramBotName')
  expect(found('github client')[0]).toBe('GitHubClientId')
})

it('finds a section, also by its content that is not a setting', () => {
  expect(found('smtp')).toContain('system/smtp')
  expect(found('clean up the usage log')).toEqual(['operation/log'])
})

it('ranks a match in a name above one in a description', () => {
  const keys = found('footer')
  expect(keys.indexOf('Footer')).toBeLessThan(3)
})

it('finds nothing for blanks and for words that occur nowhere', () => {
  expect(found('  ')).toEqual([])
  expect(found('zeppelin')).toEqual([])
})
