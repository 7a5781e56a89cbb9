import { z } from 'zod'
import { columns, json, textMap } from '../json-kinds.ts'
import { decimal, toggle } from '../kinds.ts'
import { section } from '../section.ts'

const modelNames = z.array(z.string().min(1).max(256)).max(1000)
const NAMES_ALLOWED = { en: 'a JSON list of model names', zh: '模型名称的 JSON 列表' }
const NAMES = { shape: 'names', columns: [columns.model] } as const
const SHARE = { min: 0.1, max: 1 }

export const geminiSection = section({
  key: 'gemini',
  title: { en: 'Gemini', zh: 'Gemini 设置' },
  purpose: { en: 'Safety, versions and thinking.', zh: '安全阈值、版本与思考。' },
  settings: {
    'gemini.safety_settings': textMap(
      {
        default: 'OFF',
        HARM_CATEGORY_HARASSMENT: 'BLOCK_NONE',
        HARM_CATEGORY_HATE_SPEECH: 'BLOCK_NONE',
        HARM_CATEGORY_SEXUALLY_EXPLICIT: 'BLOCK_NONE',
        HARM_CATEGORY_DANGEROUS_CONTENT: 'BLOCK_NONE',
      },
      {
        label: { en: 'Gemini safety', zh: 'Gemini 安全设置' },
        help: { en: 'Safety thresholds by category.', zh: '按类别设置安全阈值。' },
        columns: [
          { en: 'Category', zh: '类别' },
          { en: 'Threshold', zh: '阈值' },
        ],
      },
    ),
    'gemini.version_settings': textMap(
      { default: 'v1beta', 'gemini-1.0-pro': 'v1beta' },
      {
        label: { en: 'Gemini API version', zh: 'Gemini 版本设置' },
        help: {
          en: 'The version in the address that is called, such as v1 or v1beta; default is for all other models.',
          zh: '请求地址中的版本，如 v1 或 v1beta；default 用于其余模型。',
        },
        columns: [columns.model, { en: 'Version', zh: '版本' }],
      },
    ),
    'gemini.supported_imagine_models': json(
      modelNames,
      ['gemini-2.0-flash-exp-image-generation', 'gemini-2.0-flash-exp'],
      {
        label: { en: 'Gemini drawing models', zh: 'Gemini 绘图模型' },
        help: {
          en: 'These models are asked for pictures as well as text.',
          zh: '调用这些模型时，同时请求返回图片和文本。',
        },
        allowed: NAMES_ALLOWED,
        rows: NAMES,
      },
    ),
    'gemini.thinking_adapter_enabled': toggle(false, {
      label: { en: 'Gemini thinking suffixes', zh: '启用 Gemini 思考适配' },
      help: {
        en: 'A model name that ends in -thinking or -nothinking switches thinking on or off.',
        zh: '模型名称以 -thinking 或 -nothinking 结尾时，开启或关闭思考。',
      },
    }),
    'gemini.thinking_adapter_budget_tokens_percentage': decimal(0.6, {
      ...SHARE,
      label: { en: 'Gemini thinking share', zh: 'Gemini 思考预算比例' },
      help: { en: 'Share of the output limit for thinking.', zh: '思考预算占最大输出的比例。' },
    }),
    'gemini.models_supported_thinking_budget': json(
      modelNames,
      ['gemini-2.5-flash-preview-05-20', 'gemini-2.5-flash-preview-04-17', 'gemini-2.5-pro-preview-06-05'],
      {
        label: { en: 'Gemini thinking models', zh: '支持思考预算的 Gemini 模型' },
        help: {
          en: 'Answers of these models include their thoughts, also without a suffix in the name.',
          zh: '这些模型的回答会包含思考内容，即使名称没有后缀。',
        },
        allowed: NAMES_ALLOWED,
        rows: NAMES,
      },
    ),
  },
})
