import type { Language } from '@tollgate/problems/problem'
import type { UserNotice } from '../notify/notify-user.ts'

export interface TestRun {
  readonly tested: number
  /** Names of the channels that failed, in test order. */
  readonly failed: readonly string[]
  /** Public address of the console; "" when none is set. */
  readonly address: string
}

const NAMED_MAX = 5

/**
 * Message about a finished test of all channels: the number of failures and the first failed channels by
 * name.
 */
export function testedMessage({ tested, failed, address }: TestRun, language: Language): UserNotice {
  const words = WORDS[language]
  const named = failed.slice(0, NAMED_MAX).join(words.comma)
  const more = failed.length - NAMED_MAX
  const content = failed.length === 0 ? words.fine : more > 0 ? words.failedMore : words.failed
  return {
    type: 'channel_test',
    title: words.title,
    content,
    values: [tested, failed.length, named, more].map(String),
    link: address === '' || failed.length === 0 ? '' : `${address}/channel?test_outcome=failed`,
  }
}

const WORDS = {
  en: {
    title: 'The test of all channels has finished',
    comma: ', ',
    fine: 'Channels tested: {{value}}. All of them answered.',
    failed: 'Channels tested: {{value}}, failed: {{value}}. These failed: {{value}}.',
    failedMore: 'Channels tested: {{value}}, failed: {{value}}. These failed: {{value}}, and {{value}} more.',
  },
  zh: {
    title: '通道测试完成',
    comma: '、',
    fine: '已测试 {{value}} 个渠道，全部正常响应。',
    failed: '已测试 {{value}} 个渠道，失败 {{value}} 个：{{value}}。',
    failedMore: '已测试 {{value}} 个渠道，失败 {{value}} 个：{{value}}，以及另外 {{value}} 个。',
  },
} as const
