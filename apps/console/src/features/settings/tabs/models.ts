import { fields, type SettingTab, texts } from '../tab.ts'

/** How calls are passed on: for all providers, and for those that need words of their own. */
export const modelsTab: SettingTab = {
  key: 'models',
  title: { en: 'Models', zh: '模型' },
  sections: [
    {
      key: 'global',
      title: { en: 'All providers', zh: '全局设置' },
      purpose: { en: 'What holds for every call.', zh: '对所有请求生效。' },
      fields: fields(
        'global.pass_through_request_enabled',
        'global.hide_upstream_error_enabled',
        'global.block_browser_extension_enabled',
        'general_setting.ping_interval_enabled',
        'general_setting.ping_interval_seconds',
      ),
    },
    {
      key: 'gemini',
      title: { en: 'Gemini', zh: 'Gemini 设置' },
      purpose: { en: 'Safety, versions and thinking.', zh: '安全阈值、版本与思考。' },
      fields: [
        ...texts('gemini.safety_settings', 'gemini.version_settings', 'gemini.supported_imagine_models'),
        ...fields('gemini.thinking_adapter_enabled', 'gemini.thinking_adapter_budget_tokens_percentage'),
        ...texts('gemini.models_supported_thinking_budget'),
      ],
    },
    {
      key: 'claude',
      title: { en: 'Claude', zh: 'Claude 设置' },
      purpose: { en: 'Headers, output limit and thinking.', zh: '请求头、最大输出与思考。' },
      fields: [
        ...texts('claude.model_headers_settings', 'claude.default_max_tokens'),
        ...fields('claude.thinking_adapter_enabled', 'claude.thinking_adapter_budget_tokens_percentage'),
      ],
    },
  ],
}
