import { defineMessages } from '../i18n/messages.ts'

export const lessonMessages = defineMessages('lessons', {
  en: {
    refuses: '{{member}} is left out',
    outputLimit: 'the output limit is sent as {{member}}',
    systemRole: 'the role developer is sent as system',
    developerRole: 'the first system message is sent with the role developer',
    reminders: 'later system messages are sent as reminders in user messages',
    joinedTexts: 'lists of texts are joined to one text',
    extraInput: '{{member}} is left out, because the upstream does not know it',
    toolDescription:
      'tool descriptions have at most {{count}} characters; the rest moves into the instructions',
    wholeTexts: 'halves of characters are replaced',
    betas: 'of the betas, only those are sent that every cloud takes',
    streams: 'answers are requested as streams, because the upstream has no others',
    withoutResponses: 'chat completions are used instead of /v1/responses',
  },
  zh: {
    refuses: '不发送 {{member}}',
    outputLimit: '输出上限改用 {{member}} 发送',
    systemRole: 'developer 角色改为 system',
    developerRole: '首条系统消息改用 developer 角色',
    reminders: '开头以外的系统消息改为用户消息中的提醒',
    joinedTexts: '文本列表合并为一段文本',
    extraInput: '不发送上游不认识的 {{member}}',
    toolDescription: '工具描述最多 {{count}} 个字符，其余部分移入指令',
    wholeTexts: '替换残缺的半个字符',
    betas: '只发送所有云平台都接受的 beta',
    streams: '上游只支持流式，因此以流式请求回答',
    withoutResponses: '不使用 /v1/responses，改用聊天补全接口',
  },
})
