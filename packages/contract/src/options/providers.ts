import { z } from 'zod'
import { columns, json, textMap } from './json-kinds.ts'
import { decimal, integer, toggle } from './kinds.ts'

const headerSettings = z.record(z.string(), z.record(z.string(), z.array(z.string().max(4096)).max(50)))
const tokenMaxima = z.record(z.string(), z.int().min(1).max(10_000_000))
const modelNames = z.array(z.string().min(1).max(256)).max(1000)
const NAMES_ALLOWED = { en: 'a JSON list of model names', zh: '模型名称的 JSON 列表' }
const NAMES = { shape: 'names', columns: [columns.model] } as const
const SHARE = { min: 0.1, max: 1 }

/** How calls are passed on, for all providers and for single ones. */
export const providerOptions = {
  'global.pass_through_request_enabled': toggle(false, {
    section: 'relay',
    en: 'Forwards request bodies unchanged.',
    zh: '原样转发请求体。',
  }),
  'global.hide_upstream_error_enabled': toggle(false, {
    section: 'relay',
    en: 'Hides the text of upstream errors.',
    zh: '隐藏上游错误信息。',
  }),
  'global.block_browser_extension_enabled': toggle(false, {
    section: 'relay',
    en: 'Refuses chat calls from browser extensions.',
    zh: '拒绝来自浏览器扩展的请求。',
  }),
  'general_setting.ping_interval_enabled': toggle(false, {
    section: 'relay',
    en: 'Keep-alive comments in streams.',
    zh: '在流中发送保活注释。',
  }),
  'general_setting.ping_interval_seconds': integer(
    60,
    { min: 1, max: 3600 },
    {
      section: 'relay',
      en: 'Seconds between keep-alive comments.',
      zh: '保活间隔（秒）。',
    },
  ),
  'claude.model_headers_settings': json(
    headerSettings,
    {},
    {
      section: 'claude',
      rows: {
        shape: 'nested-lists',
        columns: [columns.model, { en: 'Header', zh: '请求头' }, { en: 'Value', zh: '值' }],
      },
      allowed: {
        en: 'a JSON object of models to headers to lists of values',
        zh: '模型到请求头到值列表的 JSON 对象',
      },
      en: 'Further headers by model.',
      zh: '按模型附加的请求头。',
    },
  ),
  'claude.default_max_tokens': json(
    tokenMaxima,
    { default: 8192 },
    {
      section: 'claude',
      rows: { shape: 'numbers', columns: [columns.model, { en: 'Output tokens', zh: '输出 token 数' }] },
      allowed: { en: 'a JSON object of models to whole numbers from 1', zh: '模型到正整数的 JSON 对象' },
      en: 'Output limit when a request names none.',
      zh: '请求未指定时的最大输出 token 数。',
    },
  ),
  'claude.thinking_adapter_enabled': toggle(true, {
    section: 'claude',
    en: 'The -thinking suffix.',
    zh: '启用 -thinking 后缀。',
  }),
  'claude.thinking_adapter_budget_tokens_percentage': decimal(0.8, SHARE, {
    section: 'claude',
    en: 'Share of the output limit for thinking.',
    zh: '思考预算占最大输出的比例。',
  }),
  'gemini.safety_settings': textMap(
    {
      default: 'OFF',
      HARM_CATEGORY_HARASSMENT: 'BLOCK_NONE',
      HARM_CATEGORY_HATE_SPEECH: 'BLOCK_NONE',
      HARM_CATEGORY_SEXUALLY_EXPLICIT: 'BLOCK_NONE',
      HARM_CATEGORY_DANGEROUS_CONTENT: 'BLOCK_NONE',
    },
    {
      section: 'gemini',
      columns: [
        { en: 'Category', zh: '类别' },
        { en: 'Threshold', zh: '阈值' },
      ],
      en: 'Safety thresholds by category.',
      zh: '按类别设置安全阈值。',
    },
  ),
  'gemini.version_settings': textMap(
    { default: 'v1beta', 'gemini-1.0-pro': 'v1beta' },
    {
      section: 'gemini',
      columns: [columns.model, { en: 'Version', zh: '版本' }],
      en: 'API version by model.',
      zh: '按模型设置 API 版本。',
    },
  ),
  'gemini.supported_imagine_models': json(
    modelNames,
    ['gemini-2.0-flash-exp-image-generation', 'gemini-2.0-flash-exp'],
    {
      section: 'gemini',
      allowed: NAMES_ALLOWED,
      rows: NAMES,
      en: 'Models that draw.',
      zh: '支持绘图的模型。',
    },
  ),
  'gemini.thinking_adapter_enabled': toggle(false, {
    section: 'gemini',
    en: 'Thinking suffixes.',
    zh: '启用思考后缀。',
  }),
  'gemini.thinking_adapter_budget_tokens_percentage': decimal(0.6, SHARE, {
    section: 'gemini',
    en: 'Share of the output limit for thinking.',
    zh: '思考预算占最大输出的比例。',
  }),
  'gemini.models_supported_thinking_budget': json(
    modelNames,
    ['gemini-2.5-flash-preview-05-20', 'gemini-2.5-flash-preview-04-17', 'gemini-2.5-pro-preview-06-05'],
    {
      section: 'gemini',
      allowed: NAMES_ALLOWED,
      rows: NAMES,
      en: 'Models with a thinking budget.',
      zh: '支持思考预算的模型。',
    },
  ),
}
