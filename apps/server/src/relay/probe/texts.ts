import type { Language } from '@tollgate/problems/problem'

/** Messages of a channel test that come neither from the upstream nor from the catalogue of Problems. */
interface ProbeTexts {
  readonly unusable: string
  readonly failed: string
  circular(model: string): string
  untestable(provider: string): string
  /** Prefix for the message of one of several keys. */
  keyOf(place: number, count: number): string
  /** Prefix for the message of an upstream. */
  status(status: number): string
}

const en: ProbeTexts = {
  unusable: 'this channel cannot be used',
  failed: 'the request to the upstream failed',
  circular: (model) => `the model mapping of ${model} leads in a circle`,
  untestable: (provider) => `${provider} channels cannot be tested`,
  keyOf: (place, count) => `key ${place} of ${count}: `,
  status: (status) => `status code ${status}: `,
}

const zh: ProbeTexts = {
  unusable: '该渠道无法使用',
  failed: '请求上游失败',
  circular: (model) => `模型 ${model} 的重定向形成了循环`,
  untestable: (provider) => `${provider} 渠道不支持测试`,
  keyOf: (place, count) => `第 ${place} 个密钥（共 ${count} 个）：`,
  status: (status) => `状态码 ${status}：`,
}

export const probeTexts: Readonly<Record<Language, ProbeTexts>> = { en, zh }
