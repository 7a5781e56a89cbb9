import { defineMessages } from '../i18n/messages.ts'

export const rowsMessages = defineMessages('rows', {
  en: {
    table: 'Table',
    add: 'Add a line',
    remove: 'Remove line',
    missing: 'Please fill in “{{column}}”.',
    taken: 'An earlier line has this already.',
    number: 'Please enter a number',
    wrong: 'This line is not accepted as it is.',
  },
  zh: {
    table: '表格',
    add: '添加一行',
    remove: '删除行',
    missing: '请填写“{{column}}”。',
    taken: '前面的行中已有相同名称。',
    number: '请输入数字',
    wrong: '该行内容不被接受。',
  },
})
