// Chinese words for the tables of `docs/reference/models.md`, by the English text.

/** @type {import('../translate.mjs').Words} */
export const modelWords = {
  texts: {
    models: '模型',
    refused: '不接受',
    efforts: '推理强度',
    thinking: '思考',
    endpoint: '端点',
    source: '来源',
    'sampling, penalties, log probabilities': '采样、惩罚、对数概率',
    '`temperature` together with `top_p`': '`temperature` 与 `top_p` 同时使用',
    none: '无',
    no: '否',
    yes: '是',
    adaptive: '自适应',
    'always on': '始终开启',
    Responses: 'Responses',
    'Responses with tools': '带工具时用 Responses',
    'Responses with tools and an effort': '带工具和推理强度时用 Responses',
    'Responses with effort `max`': '推理强度为 `max` 时用 Responses',
    'Responses with a search': '带搜索时用 Responses',
    'Claude 3.7 and 4': 'Claude 3.7 和 4',
    'Claude Opus 4.7 and 4.8': 'Claude Opus 4.7 和 4.8',
    'Claude Opus 5.5, Sonnet 5.5, Fable, Mythos and newer':
      'Claude Opus 5.5、Sonnet 5.5、Fable、Mythos 及更新',
    'Gemini 1 and 2.0': 'Gemini 1 和 2.0',
    'Gemini 2.5 Flash and others of 2': 'Gemini 2.5 Flash 及 2 系列的其他模型',
    'Gemini 3 to 3.6 Flash': 'Gemini 3 至 3.6 Flash',
    'Gemini 3.1 Pro, 3.7 Flash and newer': 'Gemini 3.1 Pro、3.7 Flash 及更新',
    'Models for sound and pictures': '音频和图片模型',
    'Deep research, computer use': '深度研究、操作电脑',
    'o1, o3, o4 and newer': 'o1、o3、o4 及更新',
    'GPT-5.2 and 5.3': 'GPT-5.2 和 5.3',
    'GPT-5.4 and 5.5': 'GPT-5.4 和 5.5',
    'GPT-6, GPT-6.1 and newer': 'GPT-6、GPT-6.1 及更新',
    trait: '特性',
    values: '取值',
    'members it answers with an error; they are left out': '模型会以错误应答的字段，发送时移除',
    'it refuses both together': '不接受两者同时出现',
    'how chat completions name the limit on output': 'Chat Completions 中输出上限的字段名',
    'the role of the first instructions in chat completions; by default `developer` only for newer models at hosts of OpenAI and Azure':
      'Chat Completions 中首条指令的角色；默认仅在 OpenAI 与 Azure 的地址上对较新的模型使用 `developer`',
    'where system messages stand in chat completions: where they are, one at the beginning and later ones as reminders of the user, or all in the first':
      'Chat Completions 中系统消息的位置：保持原位；开头一条，其余改为用户消息中的提醒；或全部并入第一条',
    'in chat completions, a list of nothing but texts becomes one string':
      '在 Chat Completions 中，只含文本的列表合并为一个字符串',
    'it thinks before it answers': '先思考再作答',
    'efforts it takes': '接受的推理强度',
    'bounds of a thinking budget in tokens, or none is taken': '思考预算的范围，单位为 token；或不接受预算',
    'it decides by itself how much to think': '自行决定思考多少',
    'thinking can be switched off': '可以关闭思考',
    'it follows a JSON schema by itself': '本身能遵循 JSON schema',
    'it signs its calls of tools': '为工具调用签名',
    'it takes tools with free text in chat completions': '在 Chat Completions 中接受自由文本的工具',
    'a web search beside functions; flagged: with a member that asks for both':
      '联网搜索能否与函数同时使用；flagged：须用一个字段声明两者并用',
    '`false`: there is no `/v1/responses`': '`false`：没有 `/v1/responses`',
    '`false`: it refuses a conversation that ends with its own turn':
      '`false`：拒绝以模型自己的轮次结尾的对话',
    'the most characters in the description of a function; the rest moves into the instructions':
      '函数描述的最大字符数；其余部分移入指令',
    'halves of surrogate pairs are replaced for it': '发给它的请求会替换残缺的半个代理对字符',
    'members of Messages requests that its host refuses as extra inputs; they are left out':
      '其主机作为多余字段拒绝的 Messages 请求字段，不会发送',
    'its host refuses betas: only those are sent that every cloud takes':
      '其主机拒绝 beta：只发送所有云平台都接受的 beta',
    'calls that go to `/v1/responses`': '发往 `/v1/responses` 的调用',
    'ignores the table': '不使用上表',
  },
  patterns: [
    [/^(\d+) to (\d+) tokens$/, '$1 至 $2 token'],
    [/^(Claude) (\S+) to (\S+)$/, '$1 $2 至 $3'],
    [/^([^,]+) and newer$/, '$1 及更新'],
    // Names of models alone.
    [/^(?:(?:[A-Z\d]|gpt|o\d|codex|mini$)[\w.-]*(?: |$))+$/, '$&'],
  ],
}
