import { integer, toggle } from '../kinds.ts'
import { type SettingTab, section } from '../section.ts'

const modelRequestsSection = section({
  key: 'model-requests',
  title: { en: 'Calls of models', zh: '模型请求速率限制' },
  purpose: {
    en: 'Counted for each user in a window. All calls count towards the first figure, failed ones too; only successful ones towards the second.',
    zh: '按用户在周期内计数：第一项包括失败的请求，第二项只计成功的请求。',
  },
  settings: {
    ModelRequestRateLimitEnabled: toggle(false, {
      label: { en: 'Limit calls', zh: '启用模型请求速率限制' },
      help: {
        en: 'Each user who calls more often than below is refused until the window has passed.',
        zh: '用户请求超过以下次数后会被拒绝，直到周期结束。',
      },
    }),
    ModelRequestRateLimitDurationMinutes: integer(1, {
      min: 0,
      max: 43_200,
      label: { en: 'Window (minutes)', zh: '限制周期（分钟）' },
      help: { en: 'Window of the limit in minutes; 0 means no limit.', zh: '限制周期（分钟），0 表示不限。' },
    }),
    ModelRequestRateLimitCount: integer(0, {
      min: 0,
      max: 100_000_000,
      label: { en: 'Calls in the window', zh: '周期内最多请求次数' },
      help: { en: 'Failed calls count too; 0 means no limit.', zh: '失败的请求也计入，0 表示不限。' },
    }),
    ModelRequestRateLimitSuccessCount: integer(1000, {
      min: 1,
      max: 100_000_000,
      label: { en: 'Successful calls in the window', zh: '周期内最多成功请求次数' },
      help: {
        en: 'The same for calls that succeeded; failed ones are not counted here.',
        zh: '只计成功的请求，失败的请求不计入。',
      },
    }),
  },
})

/** Limits on how often one user may call. */
export const rateLimitTab = {
  key: 'ratelimit',
  title: { en: 'Rate limit', zh: '速率限制' },
  sections: [modelRequestsSection],
} as const satisfies SettingTab
