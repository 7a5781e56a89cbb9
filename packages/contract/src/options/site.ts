import { z } from 'zod'
import { json } from './json-kinds.ts'
import { address, choice, integer, isLinkTemplate, link, picture, text, toggle } from './kinds.ts'

const PAGE_CHARACTERS_MAX = 200_000

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

/** Names, pages and what the console shows. */
export const siteOptions = {
  SystemName: text('Tollgate', 64, {
    section: 'site',
    en: "The site's name: in the title bar, in the subjects of mails and as their sender.",
    zh: '网站的名称：显示在标题栏、邮件主题和发件人中。',
  }),
  Logo: picture({
    section: 'site',
    en: 'Address of a picture, shown 24 pixels high beside the name. Empty shows our mark.',
    zh: '图片地址，以 24 像素高显示在名称旁，留空则显示默认标志。',
  }),
  Footer: text('', 20_000, {
    section: 'site',
    en: 'HTML at the foot of every page. It is cleaned before it is shown. Empty shows name and version.',
    zh: '每个页面底部的 HTML，显示前会经过清理；留空则显示名称和版本。',
  }),
  Notice: text('', PAGE_CHARACTERS_MAX, {
    section: 'site',
    en: 'Shown to every visitor in a dialog until they close it, and again when it changes. Markdown or HTML.',
    zh: '以弹窗显示给每位访问者，关闭后不再出现，内容变化时重新显示。支持 Markdown 和 HTML。',
  }),
  About: text('', PAGE_CHARACTERS_MAX, {
    section: 'site',
    en: 'What stands on the page "About": Markdown, HTML, or an https:// address that is shown in a frame.',
    zh: '“关于”页面的内容：Markdown、HTML，或在框架中显示的 https:// 地址。',
  }),
  HomePageContent: text('', PAGE_CHARACTERS_MAX, {
    section: 'site',
    en: 'What replaces our home page: Markdown, HTML, or an https:// address that is shown in a frame.',
    zh: '替换默认首页的内容：Markdown、HTML，或在框架中显示的 https:// 地址。',
  }),
  ServerAddress: address('', {
    section: 'site',
    en: 'The public address of this gateway. Links in mails, sign-in callbacks and payment callbacks are built from it.',
    zh: '网关的公开地址，邮件链接、登录回调和支付回调均由它生成。',
  }),
  TopUpLink: link({ section: 'site', en: 'Link to an external shop.', zh: '外部充值链接。' }),
  Chats: json(chatsSchema, defaultChats, {
    section: 'site',
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
    en: 'Links to chat front-ends; {address} and {key} are filled in.',
    zh: '聊天前端链接，{address} 和 {key} 会被替换。',
  }),
  'general_setting.docs_link': address('', {
    section: 'site',
    en: 'Documentation link in the top bar; empty hides it.',
    zh: '顶栏文档链接，留空则隐藏。',
  }),
  DemoSiteEnabled: toggle(false, {
    section: 'site',
    en: 'Marks the site as a demonstration.',
    zh: '标记为演示站点。',
  }),
  SelfUseModeEnabled: toggle(false, {
    section: 'site',
    en: 'For one person: models without a price are allowed at ratio 37.5, and registration is hidden.',
    zh: '自用模式：未设置价格的模型按倍率 37.5 计费，并隐藏注册。',
  }),
  DefaultCollapseSidebar: toggle(false, {
    section: 'site',
    en: 'The side menu starts collapsed.',
    zh: '默认折叠侧边栏。',
  }),
  DrawingEnabled: toggle(true, { section: 'site', en: 'Shows the drawing log.', zh: '显示绘图日志。' }),
  TaskEnabled: toggle(true, { section: 'site', en: 'Shows the task log.', zh: '显示任务日志。' }),
  DisplayInCurrencyEnabled: toggle(true, {
    section: 'site',
    en: 'Shows quota as currency.',
    zh: '以货币形式显示额度。',
  }),
  DisplayTokenStatEnabled: toggle(true, {
    section: 'site',
    en: 'The OpenAI-style billing routes report the token, not the user.',
    zh: 'OpenAI 风格的账单接口返回令牌而非用户的数据。',
  }),
  DataExportEnabled: toggle(true, {
    section: 'site',
    en: 'Keeps data for the dashboard.',
    zh: '启用数据看板。',
  }),
  DataExportInterval: integer(
    5,
    { min: 1, max: 1440 },
    { section: 'site', en: 'Minutes between dashboard updates.', zh: '数据看板更新间隔（分钟）。' },
  ),
  DataExportDefaultTime: choice(['hour', 'day', 'week'], {
    section: 'site',
    en: 'Granularity the dashboard opens with.',
    zh: '数据看板默认时间粒度。',
  }),
}
