import { z } from 'zod'
import { columns, json } from '../json-kinds.ts'
import { decimal, toggle } from '../kinds.ts'
import { section } from '../section.ts'

const name = z.string().trim().min(1)
const headerSettings = z.record(name, z.record(name, z.array(z.string().max(4096)).max(50)))
const tokenMaxima = z.record(name, z.int().min(1).max(10_000_000))
const SHARE = { min: 0.1, max: 1 }

export const claudeSection = section({
  key: 'claude',
  title: { en: 'Claude', zh: 'Claude 设置' },
  purpose: { en: 'Headers, output limit and thinking.', zh: '请求头、最大输出与思考。' },
  settings: {
    'claude.model_headers_settings': json(
      headerSettings,
      {},
      {
        label: { en: 'Claude headers', zh: 'Claude 请求头' },
        help: { en: 'Further headers by model.', zh: '按模型附加的请求头。' },
        rows: {
          shape: 'nested-lists',
          columns: [columns.model, { en: 'Header', zh: '请求头' }, { en: 'Value', zh: '值' }],
        },
        allowed: {
          en: 'a JSON object of models to headers to lists of values',
          zh: '模型到请求头到值列表的 JSON 对象',
        },
      },
    ),
    'claude.default_max_tokens': json(
      tokenMaxima,
      { default: 8192 },
      {
        label: { en: 'Claude output limit', zh: 'Claude 默认最大输出' },
        help: { en: 'Output limit when a request names none.', zh: '请求未指定时的最大输出 token 数。' },
        rows: { shape: 'numbers', columns: [columns.model, { en: 'Output tokens', zh: '输出 token 数' }] },
        allowed: { en: 'a JSON object of models to whole numbers from 1', zh: '模型到正整数的 JSON 对象' },
      },
    ),
    'claude.thinking_adapter_enabled': toggle(true, {
      label: { en: 'Claude thinking suffix', zh: '启用 Claude 思考适配' },
      help: {
        en: 'A model name that ends in -thinking asks for extended thinking, as in claude-sonnet-4-5-thinking.',
        zh: '模型名称以 -thinking 结尾时启用扩展思考，例如 claude-sonnet-4-5-thinking。',
      },
    }),
    'claude.thinking_adapter_budget_tokens_percentage': decimal(0.8, {
      ...SHARE,
      label: { en: 'Claude thinking share', zh: 'Claude 思考预算比例' },
      help: { en: 'Share of the output limit for thinking.', zh: '思考预算占最大输出的比例。' },
    }),
  },
})
