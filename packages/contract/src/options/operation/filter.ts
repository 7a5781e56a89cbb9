import { withoutEffect } from '../definition.ts'
import { integer, parts, toggle } from '../kinds.ts'
import { section } from '../section.ts'

export const filterSection = section({
  key: 'filter',
  title: { en: 'Sensitive words', zh: '屏蔽词过滤设置' },
  purpose: { en: 'Calls with these words are refused.', zh: '包含这些词的请求会被拒绝。' },
  settings: {
    CheckSensitiveEnabled: toggle(true, {
      label: { en: 'Word filter', zh: '启用屏蔽词过滤' },
      help: {
        en: 'The main switch: when off, calls are not searched for the refused words.',
        zh: '总开关：关闭后不检查任何请求。',
      },
    }),
    CheckSensitiveOnPromptEnabled: toggle(true, {
      label: { en: 'Filter prompts', zh: '启用 Prompt 检查' },
      help: {
        en: 'Searches the texts of a call before it is sent on. It needs the word filter above.',
        zh: '转发前检查请求中的文本，需要同时启用上方的屏蔽词过滤。',
      },
    }),
    StopOnSensitiveEnabled: toggle(true, {
      label: { en: 'Stop on a match', zh: '检测到屏蔽词时停止' },
      ...withoutEffect,
    }),
    SensitiveWords: parts('lines', ['test_sensitive'], {
      label: { en: 'Refused words', zh: '屏蔽词列表' },
      help: {
        en: 'Words refused in prompts, in any case; a line that begins with regex: is a pattern.',
        zh: '提示词中不允许出现的词，不区分大小写；以 regex: 开头的行为正则表达式。',
      },
    }),
    StreamCacheQueueLength: integer(0, {
      min: 0,
      max: 1000,
      label: { en: 'Stream queue length', zh: '流模式缓存长度' },
      ...withoutEffect,
    }),
  },
})
