import { fields, type SettingTab } from '../tab.ts'

/** How often one user may call. */
export const rateLimitTab: SettingTab = {
  key: 'ratelimit',
  title: { en: 'Rate limit', zh: '速率限制' },
  sections: [
    {
      key: 'model-requests',
      title: { en: 'Calls of models', zh: '模型请求速率限制' },
      purpose: {
        en: 'Counted for each user in a window. All calls count towards the first figure, failed ones too; only successful ones towards the second.',
        zh: '按用户在周期内计数：第一项包括失败的请求，第二项只计成功的请求。',
      },
      fields: fields(
        'ModelRequestRateLimitEnabled',
        'ModelRequestRateLimitDurationMinutes',
        'ModelRequestRateLimitCount',
        'ModelRequestRateLimitSuccessCount',
      ),
    },
  ],
}
