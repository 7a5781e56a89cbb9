import { z } from 'zod'
import { address, isLinkTemplate, link } from '../address-kinds.ts'
import { json } from '../json-kinds.ts'
import { choice, integer, toggle } from '../kinds.ts'
import { section } from '../section.ts'
import { defineTimeZone } from '../time-zone-kind.ts'

const chatsSchema = z
  .array(z.record(z.string().min(1).max(100), z.string().min(1).max(2000).refine(isLinkTemplate)))
  .max(50)
const defaultChats: z.input<typeof chatsSchema> = [
  { 'ChatGPT Next Web': 'https://app.nextchat.dev/#/?settings={"key":"{key}","url":"{address}"}' },
  {
    'Lobe Chat':
      'https://chat-preview.lobehub.com/?settings={"keyVaults":{"openai":{"apiKey":"{key}","baseURL":"{address}/v1"}}}',
  },
  {
    'AI as Workspace':
      'https://aiaw.app/set-provider?provider={"type":"openai","settings":{"apiKey":"{key}","baseURL":"{address}/v1","compatibility":"strict"}}',
  },
  { 'AMA 问天': 'ama://set-api-key?server={address}&key={key}' },
  { OpenCat: 'opencat://team/join?domain={address}&token={key}' },
]

export const generalSection = section({
  key: 'general',
  title: { en: 'General', zh: '通用设置' },
  purpose: { en: 'Links, units and modes of the site.', zh: '站点的链接、单位与模式。' },
  settings: {
    TopUpLink: link({
      label: { en: 'Top-up link', zh: '充值链接' },
      help: {
        en: 'Where the wallet sends people who want to buy a code. Empty: there is no link.',
        zh: '钱包页“获取兑换码”按钮打开的地址，留空则不显示。',
      },
      // Users follow this link to pay.
      isGuarded: true,
    }),
    TimeZone: defineTimeZone({
      label: { en: 'Time zone', zh: '时区' },
      help: {
        en: 'The days of budgets, check-ins and statements begin at midnight there. Empty: the variable TZ, or the time zone of the machine.',
        zh: '预算、签到和账单的日期以该时区的零点为界。留空则使用环境变量 TZ，或机器的时区。',
      },
    }),
    'general_setting.docs_link': address('', {
      label: { en: 'Documentation link', zh: '文档地址' },
      help: { en: 'Documentation link in the top bar; empty hides it.', zh: '顶栏文档链接，留空则隐藏。' },
    }),
    QuotaPerUnit: integer(500_000, {
      min: 1,
      max: 1_000_000_000,
      label: { en: 'Quota per currency unit', zh: '单位额度' },
      help: {
        en: 'Internal, best left alone: quota for one currency unit. Amounts on screen are quota divided by this number, so doubling it halves every balance shown.',
        zh: '内部使用，不建议修改：单位货币对应的额度。页面上的金额均为额度除以此值，此值翻倍时所有余额的显示金额减半。',
      },
    }),
    RetryTimes: integer(0, {
      min: 0,
      max: 20,
      label: { en: 'Retries', zh: '失败重试次数' },
      help: { en: 'Further channels tried after a failure.', zh: '失败后在其他渠道重试的次数。' },
    }),
    DisplayInCurrencyEnabled: toggle(true, {
      label: { en: 'Show quota as currency', zh: '以货币形式显示额度' },
      help: {
        en: 'Balances, prices and charges are shown in dollars. Off: as quota, a whole number.',
        zh: '余额、价格和费用以美元显示；关闭后显示为整数额度。',
      },
    }),
    DisplayTokenStatEnabled: toggle(true, {
      label: { en: 'Token figures in billing routes', zh: '账单接口显示令牌额度' },
      help: {
        en: 'The OpenAI-style billing routes report the token, not the user.',
        zh: 'OpenAI 风格的账单接口返回令牌而非用户的数据。',
      },
    }),
    'billing_setting.report_cost': choice('off', {
      choices: {
        off: { en: 'Off', zh: '关闭' },
        header: { en: 'Header', zh: '响应头' },
        usage: { en: 'Header and usage', zh: '响应头与 usage' },
      },
      label: { en: 'Cost in responses', zh: '响应中返回费用' },
      help: {
        en: 'Tells callers what their call cost, in dollars. Header: x-tollgate-cost on whole responses. Header and usage: also usage.cost, in streams too, as OpenRouter does. Leave it off if another gateway in front adds up costs by itself.',
        zh: '向调用方返回每次调用的费用（美元）。响应头：非流式响应带 x-tollgate-cost；响应头与 usage：另在 usage.cost 中返回，流式响应同样适用，与 OpenRouter 一致。若前面还有自行累计费用的网关，请保持关闭。',
      },
    }),
    DefaultCollapseSidebar: toggle(false, {
      label: { en: 'Collapsed side menu', zh: '默认折叠侧边栏' },
      help: {
        en: 'For people who have not folded or unfolded it themselves; their own choice stays.',
        zh: '仅影响未自行展开或收起过侧边栏的用户，用户的选择会被保留。',
      },
    }),
    DemoSiteEnabled: toggle(false, {
      label: { en: 'Demo site', zh: '演示站点模式' },
      help: {
        en: 'Shows a badge beside the site’s name, so that visitors know that nothing here is real.',
        zh: '在站点名称旁显示“演示”标记，提醒访问者这里并非正式服务。',
      },
    }),
    SelfUseModeEnabled: toggle(false, {
      label: { en: 'Self-use mode', zh: '自用模式' },
      help: {
        en: 'For one person: models without a price are allowed at ratio 37.5, and registration is hidden.',
        zh: '自用模式：未设置价格的模型按倍率 37.5 计费，并隐藏注册。',
      },
      // Decides who can register.
      isGuarded: true,
    }),
    Chats: json(chatsSchema, defaultChats, {
      label: { en: 'Chat links', zh: '聊天链接' },
      help: {
        en: 'Links to chat front-ends; {address} and {key} are filled in.',
        zh: '聊天前端链接，{address} 和 {key} 会被替换。',
      },
      rows: {
        shape: 'labelled-texts',
        columns: [
          { en: 'Name', zh: '名称' },
          { en: 'Address template', zh: '地址模板' },
        ],
      },
      allowed: {
        en: 'a JSON list of {name: address template}; not javascript:, data: and the like',
        zh: '{名称: 地址模板} 的 JSON 列表，不支持 javascript:、data: 等协议',
      },
      // Chat front-ends receive the key of a token.
      isGuarded: true,
    }),
  },
})
