import { defineTexts } from '../../../shared/i18n/messages.ts'

export const receiptTexts = defineTexts({
  en: {
    'receipt.copyLink': 'Copy a link to this call',
    'receipt.version': 'Receipt · price book v{{version}}',
    'receipt.subtotal': 'Subtotal',
    'receipt.charged': 'Charged',
    'receipt.nothingUsed': 'Nothing that costs was used.',
    'rounding.nearest': 'Rounded',
    'rounding.down': 'Rounded down',
    'rounding.minimum': 'Least charge',
    'rounding.maximum': 'Largest charge',
    'proof.equal': 'Computed again here: the same amount.',
    'proof.limited':
      'By usage this call would cost {{computed}} units; it was charged {{charged}}, the most it was admitted for. {{waived}} units were waived.',
    'proof.interrupted':
      'The gateway stopped during this call: {{charged}} units were charged for the usage known then. The full usage would cost {{computed}}.',
    'proof.corrected':
      'The charge was corrected later. By usage it is {{computed}} units; this row says {{charged}}.',
    'proof.unproven':
      'By the ratios of this row the charge would be {{computed}} units; it was {{charged}}. The row does not contain the complete price, so this cannot be verified here.',
    'proof.differs':
      'This does not add up: the numbers above give {{computed}} units, but {{charged}} were charged. Please send the request ID to the operator.',
    'line.inputText': 'Input text',
    'line.cacheRead': 'Cache read',
    'line.cacheWrite5m': 'Cache write 5 min',
    'line.cacheWrite1h': 'Cache write 1 h',
    'line.inputImage': 'Input image',
    'line.inputAudio': 'Input audio',
    'line.outputText': 'Output text',
    'line.outputAudio': 'Output audio',
    'line.outputImage': 'Output image',
    'line.call': 'Call',
    'line.second': 'Seconds',
    'line.picture': 'Picture',
    'part.compaction': 'Summary of the conversation',
    'part.advisor': 'Advice',
    'part.attempt': 'Earlier attempt',
    'part.vendorCost': 'Up to the vendor’s cost',
  },
  zh: {
    'receipt.copyLink': '复制此调用的链接',
    'receipt.version': '账单 · 价目表 v{{version}}',
    'receipt.subtotal': '小计',
    'receipt.charged': '实扣',
    'receipt.nothingUsed': '没有产生计费用量。',
    'rounding.nearest': '四舍五入',
    'rounding.down': '向下取整',
    'rounding.minimum': '最低扣费',
    'rounding.maximum': '最高扣费',
    'proof.equal': '已在本页重新计算，金额一致。',
    'proof.limited':
      '按用量应为 {{computed}} 点，实扣 {{charged}} 点，即该调用获准的上限；其余 {{waived}} 点已免除。',
    'proof.interrupted':
      '调用期间网关停止：按当时已知的用量扣除 {{charged}} 点；按全部用量应为 {{computed}} 点。',
    'proof.corrected': '扣费事后已更正。按用量为 {{computed}} 点，本行记录为 {{charged}} 点。',
    'proof.unproven':
      '按本行的倍率应为 {{computed}} 点，实扣 {{charged}} 点。本行没有保存完整价格，无法在此判定。',
    'proof.differs':
      '金额不符：按上列数字应为 {{computed}} 点，实扣 {{charged}} 点。请将请求 ID 告知管理员。',
    'line.inputText': '输入文本',
    'line.cacheRead': '缓存读取',
    'line.cacheWrite5m': '缓存写入 5 分钟',
    'line.cacheWrite1h': '缓存写入 1 小时',
    'line.inputImage': '输入图片',
    'line.inputAudio': '输入音频',
    'line.outputText': '输出文本',
    'line.outputAudio': '输出音频',
    'line.outputImage': '输出图片',
    'line.call': '按次',
    'line.second': '秒数',
    'line.picture': '图片',
    'part.compaction': '对话压缩',
    'part.advisor': '顾问',
    'part.attempt': '先前的尝试',
    'part.vendorCost': '补至供应商成本',
  },
})
