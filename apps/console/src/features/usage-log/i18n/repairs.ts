import { defineMessages } from '../../../shared/i18n/messages.ts'

export const repairMessages = defineMessages('repairs', {
  en: {
    answeredCalls:
      'tool calls and their results were put in order; a missing result says that the call was interrupted',
    continuedAnswer: 'an instruction to continue was added, because the conversation ended with the model',
    bridgedTurns: 'a turn of the model was added between results of tools and the next turn of the user',
    systemReminders: 'later system messages were sent as reminders of the user',
    callsAsTexts: 'tool calls and results were sent as texts',
    renamedTools: 'tools were renamed for the provider and named back in the answer',
    toolSchemas: 'schemas of tools were rewritten',
    movedDescriptions: 'the rest of long tool descriptions was moved into the instructions',
    shortenedIds: 'ids were shortened to the limits of the provider',
    shortenedStops: 'stop sequences beyond the limit of the provider were left out',
    wholeCharacters: 'halves of characters were replaced',
    keptReasoning: 'reasoning that the client did not send was put back',
    filledReasoning: 'a filler stands where reasoning is missing',
    sealedReasoning: 'signatures and encrypted reasoning of another account were left out',
  },
  zh: {
    answeredCalls: '整理了工具调用及其结果；缺少的结果写明调用已中断',
    continuedAnswer: '对话以模型的轮次结尾，因此加上了继续的指示',
    bridgedTurns: '在工具结果和用户的下一轮之间加上了模型的一轮',
    systemReminders: '后面的系统消息以用户提醒的形式发送',
    callsAsTexts: '工具调用和结果以文本发送',
    renamedTools: '为供应商改了工具名称，回答中已改回',
    toolSchemas: '改写了工具的 schema',
    movedDescriptions: '过长的工具描述，其余部分移入了指令',
    shortenedIds: '按供应商的限制缩短了 id',
    shortenedStops: '去掉了超出供应商限制的停止序列',
    wholeCharacters: '替换了残缺的半个字符',
    keptReasoning: '补回了客户端没有发送的推理内容',
    filledReasoning: '缺少推理内容的地方用占位内容代替',
    sealedReasoning: '去掉了其他账户的签名和加密推理',
  },
})
