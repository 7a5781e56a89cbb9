import { decimal, parts, toggle } from '../kinds.ts'
import { section } from '../section.ts'

const DISABLE_KEYWORDS = [
  'your credit balance is too low',
  'this organization has been disabled.',
  'you exceeded your current quota',
  'permission denied',
  'the security token included in the request is invalid',
  'operation not allowed',
  'your account is not authorized',
]

export const monitoringSection = section({
  key: 'monitoring',
  title: { en: 'Monitoring', zh: '监控设置' },
  purpose: { en: 'When channels are disabled and enabled automatically.', zh: '何时自动禁用和启用渠道。' },
  settings: {
    ChannelDisableThreshold: decimal(5, {
      min: 0,
      max: 10_000,
      label: { en: 'Slow-test limit (seconds)', zh: '最长响应时间（秒）' },
      help: {
        en: 'Seconds after which a tested channel is disabled; 0 means never.',
        zh: '测试响应超过该秒数时禁用渠道，0 表示不禁用。',
      },
    }),
    AutomaticDisableChannelEnabled: toggle(false, {
      label: { en: 'Disable failing channels', zh: '失败时自动禁用渠道' },
      help: {
        en: 'Disables a channel when its upstream refuses the key or answers with one of the texts below.',
        zh: '上游拒绝渠道密钥，或返回以下关键词时，禁用该渠道。',
      },
    }),
    AutomaticEnableChannelEnabled: toggle(false, {
      label: { en: 'Enable recovered channels', zh: '成功时自动启用渠道' },
      help: {
        en: 'Enables a channel that was disabled automatically as soon as a test of it succeeds.',
        zh: '被自动禁用的渠道，在测试成功后重新启用。',
      },
    }),
    AutomaticDisableKeywords: parts('lines', DISABLE_KEYWORDS, {
      label: { en: 'Texts that disable a channel', zh: '自动禁用关键词' },
      help: {
        en: 'Error texts and codes that disable a channel, in any case.',
        zh: '触发自动禁用的错误文本或错误码，不区分大小写。',
      },
      fold: true,
    }),
  },
})
