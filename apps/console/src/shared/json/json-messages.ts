import { defineMessages } from '../i18n/messages.ts'

const en = {
  place: 'Line {{line}}, column {{column}}: {{what}}',
  end: 'the end of the text',
  value: 'A value is expected here, not {{found}}.',
  name: 'A name in double quotes is expected here, not {{found}}.',
  quotes: 'Names and texts need double quotes.',
  colon: 'A colon is expected after the name, not {{found}}.',
  comma: 'A comma or the closing bracket is expected here, not {{found}}.',
  'extra-comma': 'Nothing follows this comma: please remove it.',
  'open-text': 'The text that begins here has no closing double quote on its line.',
  escape: 'A backslash must be written twice: \\\\.',
  'after-end': 'The JSON ends before this; please remove {{found}} and what follows.',
  depth: 'This is nested too deeply.',
  object: 'An object in braces is expected: {…}.',
  refused: '{{found}} is not accepted here.',
}

export const jsonMessages = defineMessages('json', {
  en,
  zh: {
    place: '第 {{line}} 行第 {{column}} 列：{{what}}',
    end: '文本结尾',
    value: '此处应为一个值，而不是 {{found}}。',
    name: '此处应为带双引号的名称，而不是 {{found}}。',
    quotes: '名称和文本必须使用双引号。',
    colon: '名称之后应为冒号，而不是 {{found}}。',
    comma: '此处应为逗号或右括号，而不是 {{found}}。',
    'extra-comma': '该逗号之后没有内容，请删除。',
    'open-text': '从此处开始的文本在本行没有右双引号。',
    escape: '反斜杠必须写两次：\\\\。',
    'after-end': 'JSON 在此之前已经结束，请删除 {{found}} 及其后的内容。',
    depth: '嵌套层数过多。',
    object: '此处应为花括号括起的对象：{…}。',
    refused: '此处不接受 {{found}}。',
  },
})
