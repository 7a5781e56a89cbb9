import { PriceTable } from '../prices/price-table.tsx'
import { ResetRatios } from '../extras/reset-ratios.tsx'
import { fields, type SettingTab, texts } from '../tab.ts'

/** What the site does all day: what it shows, filters, watches and gives, and what calls cost. */
export const operationTab: SettingTab = {
  key: 'operation',
  title: { en: 'Operation', zh: '运营' },
  sections: [
    {
      key: 'general',
      title: { en: 'General', zh: '通用设置' },
      purpose: { en: 'Links, units and modes of the site.', zh: '站点的链接、单位与模式。' },
      fields: [
        ...fields(
          'TopUpLink',
          'general_setting.docs_link',
          'QuotaPerUnit',
          'RetryTimes',
          'DisplayInCurrencyEnabled',
          'DisplayTokenStatEnabled',
          'DefaultCollapseSidebar',
          'DemoSiteEnabled',
          'SelfUseModeEnabled',
        ),
        ...texts('Chats'),
      ],
    },
    {
      key: 'drawing',
      title: { en: 'Drawing and tasks', zh: '绘图与任务设置' },
      purpose: { en: 'Pictures and songs made by upstreams.', zh: '上游的绘图与音乐任务。' },
      fields: fields(
        'DrawingEnabled',
        'TaskEnabled',
        'MjNotifyEnabled',
        'MjAccountFilterEnabled',
        'MjForwardUrlEnabled',
        'MjModeClearEnabled',
        'MjActionCheckSuccessEnabled',
      ),
    },
    {
      key: 'filter',
      title: { en: 'Sensitive words', zh: '屏蔽词过滤设置' },
      purpose: { en: 'Calls with these words are refused.', zh: '包含这些词的请求会被拒绝。' },
      fields: [
        ...fields('CheckSensitiveEnabled', 'CheckSensitiveOnPromptEnabled', 'StopOnSensitiveEnabled'),
        ...texts('SensitiveWords'),
        ...fields('StreamCacheQueueLength'),
      ],
    },
    {
      key: 'log',
      title: { en: 'Log', zh: '日志设置' },
      purpose: { en: 'What is kept of calls.', zh: '保留请求的哪些内容。' },
      fields: [
        ...fields(
          'LogConsumeEnabled',
          'LogChatContentEnabled',
          'log_setting.chat_readers',
          'log_setting.chat_characters',
          'log_setting.chat_days',
          'log_setting.size_mb',
        ),
        ...texts('log_setting.keep_days'),
      ],
    },
    {
      key: 'dashboard',
      title: { en: 'Dashboard', zh: '数据看板设置' },
      purpose: { en: 'Figures by the hour, day or week.', zh: '按小时、天或周统计的数据。' },
      fields: fields('DataExportEnabled', 'DataExportInterval', 'DataExportDefaultTime'),
    },
    {
      key: 'monitoring',
      title: { en: 'Monitoring', zh: '监控设置' },
      purpose: {
        en: 'When channels are switched off and on without anybody’s doing.',
        zh: '何时自动禁用和启用渠道。',
      },
      fields: [
        ...fields(
          'ChannelDisableThreshold',
          'AutomaticDisableChannelEnabled',
          'AutomaticEnableChannelEnabled',
        ),
        ...texts('AutomaticDisableKeywords'),
      ],
    },
    {
      key: 'check-in',
      title: { en: 'Check-in', zh: '签到设置' },
      purpose: { en: 'A small reward every day.', zh: '每日签到奖励。' },
      fields: fields('CheckInEnabled', 'CheckInQuota', 'CheckInMaxQuota'),
    },
    {
      key: 'quota',
      title: { en: 'Quota', zh: '额度设置' },
      purpose: { en: 'What is given, held and warned of.', zh: '赠送、预扣与提醒的额度。' },
      fields: fields(
        'QuotaForNewUser',
        'PreConsumedQuota',
        'QuotaForInviter',
        'QuotaForInvitee',
        'QuotaRemindThreshold',
        'RebateEnabled',
        'RebatePercentage',
      ),
    },
    {
      key: 'prices',
      title: { en: 'Prices of models', zh: '模型价格' },
      purpose: {
        en: 'Every model with its price, by usage or by call; in ratios or in dollars for a million tokens.',
        zh: '所有模型的价格：按量或按次计费，以倍率或每百万 token 美元显示。',
      },
      fields: [],
      Extra: PriceTable,
    },
    {
      key: 'price-maps',
      title: { en: 'Prices as JSON', zh: '倍率设置（JSON）' },
      purpose: {
        en: 'The same prices as text. Each saved change is a new version of the price list, and every call names its version.',
        zh: '以文本形式编辑同样的价格。每次保存产生新的价格版本，每个请求都记录所用版本。',
      },
      fields: texts(
        'ModelPrice',
        'ModelRatio',
        'CompletionRatio',
        'CacheRatio',
        'CreateCacheRatio',
        'CreateCache1hRatio',
        'ImageRatio',
        'AudioRatio',
        'AudioCompletionRatio',
        'ToolPrices',
        'ServiceTierRatio',
        'ContextTierRatio',
      ),
      Extra: ResetRatios,
    },
    {
      key: 'groups',
      title: { en: 'Groups and holds', zh: '分组与预扣' },
      purpose: {
        en: 'Which groups there are, what they pay, and how much is set aside before a call.',
        zh: '有哪些分组、各自的倍率，以及请求前预扣多少额度。',
      },
      fields: [
        ...texts('GroupRatio', 'UserUsableGroups', 'GroupGroupRatio', 'AutoGroups'),
        ...fields(
          'billing_setting.hold_mode',
          'billing_setting.strict_fits',
          'billing_setting.overdraft_factor',
        ),
      ],
    },
  ],
}
