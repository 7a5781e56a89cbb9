import { defineTexts } from '../../../shared/i18n/messages.ts'

export const settingTexts = defineTexts({
  en: {
    'setting.promptHelp': 'Sent to every model of this channel when the caller sends none.',
    'setting.promptFirst': 'System prompt before the caller’s own',
    'setting.promptFirstHelp': 'Both reach the model. Off: the caller’s own replaces it.',
    'setting.serverTools': 'Allow tools that the upstream runs',
    'setting.serverToolsHelp':
      'Web search, web fetch, URL context and code. What they read is charged. Off: calls that ask for them use other channels.',
    'setting.storedContext': 'Stored context',
    'setting.storedContextNone': 'Not allowed',
    'setting.storedContextBefore': 'Only what worked before: files and caches by id, caller-named servers',
    'setting.storedContextAll': 'All of it, earlier responses and conversations too',
    'setting.storedContextHelp':
      'What calls may name at the upstream: files, vector stores and caches by id, MCP servers of the caller’s own. With earlier responses and conversations a user who knows an id can read what another user said. Whoever may use this channel can reach all that its key has stored.',
    'setting.wholeOnlyHelp': 'Whole answers are requested. Callers who stream still get a stream.',
    'setting.streamOnly': 'The upstream only streams',
    'setting.streamOnlyHelp':
      'Streams are requested. Callers who ask for a whole answer get one. It is also learned from refusals.',
    'setting.forceFormatHelp': 'Members that the caller’s format does not have are dropped.',
    'setting.upstreamName': 'Show the upstream’s model names',
    'setting.upstreamNameHelp':
      'Where a model is mapped, answers carry the upstream’s name of it instead of the name that was asked for.',
    'setting.thinkingHelp': 'For clients that cannot show thinking separately.',
    'setting.passThrough': 'Pass request bodies through unchanged',
    'setting.passThroughHelp':
      'Then no system prompt, override or adjustment applies; the upstream must use the caller’s dialect.',
    'setting.claudeBeta': 'Ask with ?beta=true',
    'setting.claudeBetaHelp': 'For features that Anthropic offers in beta.',
    'setting.azureVersion': 'API version of Responses',
    'setting.allowed': 'Handed on',
    'setting.allowedHelp':
      'Members of requests that change what the upstream charges; without a tick they are left out.',
    'setting.otherModels': 'Other models in a request',
    'setting.otherModelsHelp':
      'A call may name further models that its vendor uses beside the requested one, such as fallbacks and advisers. Each must be allowed, have a price and be reported by the vendor. Off: all such names are taken out.',
    'setting.trace': 'Send the trace to the upstream',
    'setting.traceHelp':
      'Requests carry the header traceparent, so that traces go on in the upstream. Only where the gateway traces calls.',
    'setting.chargeServed': 'Charge the served model if cheaper',
    'setting.chargeServedHelp':
      'When the upstream answers with a model that nobody asked for, callers pay that model’s price if it is lower. They never pay more than the requested model costs.',
    'setting.resend': 'Send again after a sudden close',
    'setting.resendHelp':
      'For vendors that close idle connections without a word. A request whose reused connection closes within 250 ms is sent once more. The vendor may already have begun: work may run twice, and be billed twice.',
    'setting.responsesSocket': 'Responses WebSocket to the upstream',
    'setting.responsesSocketHelp':
      'Agents that are connected over WebSocket get a WebSocket to the upstream, and each turn sends only what is new. An upstream without one gets HTTP.',
    'setting.affinity': 'Keep sessions (seconds)',
    'setting.affinityHelp':
      'How long a session stays on this channel and key without a call. Empty: as set for the site. 0: not at all.',
    'setting.keepReasoning': 'Keep reasoning that the vendor demands back',
    'setting.keepReasoningHelp':
      'DeepSeek V4 and Kimi want the reasoning of turns with tool calls back. For clients that do not send it, it stays encrypted in memory (Redis, where there is one) for two hours. Off: the vendor gets a filler.',
    'setting.account': 'Account at the upstream',
    'setting.accountHelp':
      'Channels and keys with the same name belong to one account. Signatures and encrypted reasoning go back to the account that wrote them; elsewhere they are left out. Empty: each key is an account of its own.',
    'setting.cost': 'Cost ratio',
    'setting.costHelp':
      'What the upstream asks, as a share of the price list: 0.8 is a fifth less than callers pay in group ratio 1. Empty: not known. It is for the dashboard’s margin and changes no charge.',
    'setting.modelTraits': 'Model traits',
    'setting.modelTraitsHelp':
      'For models that accept other parameters here than at their vendor: a JSON object of traits by upstream model name, where * stands for any characters. docs/reference/models.md lists the traits.',
    'setting.modelTraitsBroken': 'The model traits are not a JSON object.',
    'setting.forbidden': 'Not handed on',
    'setting.forbiddenHelp': 'Request members that affect what the upstream stores or learns.',
    'setting.route': 'Add a route',
    'setting.routes': 'Routes',
    'setting.routesHelp':
      'Which paths are served, and where. The first matching route applies; without routes, everything is served.',
    'route.incoming': 'Callers ask for',
    'route.upstream': 'Path or address of the upstream',
    'route.converter': 'Converter',
    'route.auth': 'How the key is shown',
    'route.auth.bearer': 'Bearer',
    'route.auth.none': 'Not at all',
    'route.auth.header': 'In a header',
    'route.auth.query': 'In the address',
    'route.models': 'Models (empty: all)',
    'route.remove': 'Remove route {{place}}',
    'route.fault.incoming': 'What callers ask for is a path that begins with /.',
    'route.fault.upstream':
      'The upstream is a path that begins with /, or an address with http:// or https://.',
    'route.fault.authName': 'Please fill in the name of the header or parameter.',
    'route.fault.pattern': 'One of the models is a pattern that cannot be read.',
    'route.faulty': 'Please correct the routes that are marked',
  },
  zh: {
    'setting.promptHelp': '调用方未提供系统提示词时，对该渠道的所有模型生效。',
    'setting.promptFirst': '系统提示词置于调用方之前',
    'setting.promptFirstHelp': '两者都会发送给模型；关闭时，调用方自己的提示词优先。',
    'setting.serverTools': '允许上游运行的工具',
    'setting.serverToolsHelp':
      '联网搜索、网页抓取、URL 上下文和代码执行，读取的内容照常计费。关闭后，需要这些工具的请求改走其他渠道。',
    'setting.storedContext': '上游已存储的内容',
    'setting.storedContextNone': '不允许',
    'setting.storedContextBefore': '仅限升级前可用的：按 ID 引用的文件与缓存、调用方指定的服务器',
    'setting.storedContextAll': '全部，包括历史响应和会话',
    'setting.storedContextHelp':
      '请求可以引用上游的哪些内容：按 ID 引用的文件、向量库与缓存，以及调用方自带的 MCP 服务器。开放历史响应和会话后，知道 ID 的用户可以读到其他用户的对话。能使用该渠道的人都可访问其密钥下存储的内容。',
    'setting.wholeOnlyHelp': '始终请求完整回答；流式调用方仍以流的形式收到。',
    'setting.streamOnly': '上游仅支持流式',
    'setting.streamOnlyHelp':
      '始终以流式请求；需要完整回答的调用方仍得到完整回答。也会从上游的拒绝中自动学习。',
    'setting.forceFormatHelp': '去除调用方格式中不存在的字段。',
    'setting.upstreamName': '显示上游的模型名称',
    'setting.upstreamNameHelp': '模型做了映射时，回答中使用上游的模型名称，而不是请求的名称。',
    'setting.thinkingHelp': '适用于不支持单独思考内容的客户端。',
    'setting.passThrough': '原样转发请求体',
    'setting.passThroughHelp': '此时系统提示词、参数覆盖和各种调整均不生效，上游必须使用与调用方相同的格式。',
    'setting.claudeBeta': '使用 ?beta=true 请求',
    'setting.claudeBetaHelp': '用于 Anthropic 的测试功能。',
    'setting.azureVersion': 'Responses 接口的 API 版本',
    'setting.allowed': '转发的字段',
    'setting.allowedHelp': '会改变上游计费的请求字段；未勾选时不转发。',
    'setting.otherModels': '请求中的其他模型',
    'setting.otherModelsHelp':
      '调用可以指定供应商在所请求模型之外使用的其他模型，例如备用模型和顾问模型；每个都必须被允许、有价格，且由供应商告知实际使用情况。关闭后移除全部此类名称。',
    'setting.resend': '连接突然关闭后重发',
    'setting.resendHelp':
      '适用于不打招呼就关闭空闲连接的上游。复用的连接在 250 毫秒内关闭时，请求会重发一次。上游可能已经开始处理：同一工作可能执行两次，并计费两次。',
    'setting.trace': '把调用链路传给上游',
    'setting.traceHelp': '请求会带上 traceparent 请求头，使链路在上游继续。仅在网关开启链路追踪时有效。',
    'setting.chargeServed': '实际模型更便宜时按其计费',
    'setting.chargeServedHelp':
      '上游用未被请求的模型作答时，若该模型价格更低，则按其价格收费。收费绝不会高于所请求的模型。',
    'setting.responsesSocket': '与上游也使用 Responses WebSocket',
    'setting.responsesSocketHelp':
      '智能体以 WebSocket 连接时，网关与上游之间也建立 WebSocket，每轮只发送新增内容。上游不支持时改用 HTTP。',
    'setting.affinity': '会话保持时间（秒）',
    'setting.affinityHelp': '会话没有新调用时，在本渠道和密钥上保持多久。留空则采用站点设置，0 表示不保持。',
    'setting.keepReasoning': '保留供应商要求发回的推理内容',
    'setting.keepReasoningHelp':
      'DeepSeek V4 和 Kimi 要求带工具调用的轮次发回推理内容。客户端不发回时，网关把它加密保留在内存（有 Redis 时在 Redis）中两小时。关闭后改发占位文字。',
    'setting.account': '上游账户',
    'setting.accountHelp':
      '名称相同的渠道和密钥属于同一个上游账户。签名和加密推理只发回写出它们的账户，发往其他账户时会去掉。留空则每个密钥视为单独的账户。',
    'setting.cost': '成本倍率',
    'setting.costHelp':
      '上游收费占价目表价格的比例：0.8 表示比分组倍率为 1 时的售价低五分之一。留空表示未知。仅用于看板的毛利，不影响扣费。',
    'setting.modelTraits': '模型特性',
    'setting.modelTraitsHelp':
      '当模型在该渠道的要求与原厂商不同时填写：JSON 对象，以上游模型名为键（* 匹配任意字符），以特性为值。可用的特性见 docs/reference/models.md。',
    'setting.modelTraitsBroken': '模型特性不是有效的 JSON 对象。',
    'setting.forbidden': '不转发的字段',
    'setting.forbiddenHelp': '会改变上游数据保留方式或透露调用者信息的请求字段。',
    'setting.route': '添加路由',
    'setting.routes': '路由',
    'setting.routesHelp': '提供哪些路径、转发到哪里。同一请求有多条匹配时以第一条为准；没有路由时全部提供。',
    'route.incoming': '请求路径',
    'route.upstream': '上游路径或地址',
    'route.converter': '转换器',
    'route.auth': '密钥方式',
    'route.auth.bearer': 'Bearer',
    'route.auth.none': '不发送',
    'route.auth.header': '请求头',
    'route.auth.query': '地址参数',
    'route.models': '模型（留空为全部）',
    'route.remove': '删除路由 {{place}}',
    'route.fault.incoming': '请求路径需以 / 开头。',
    'route.fault.upstream': '上游需为以 / 开头的路径，或 http://、https:// 地址。',
    'route.fault.authName': '请填写请求头或参数的名称。',
    'route.fault.pattern': '模型中有无法识别的表达式。',
    'route.faulty': '请先更正标出的路由',
  },
})
