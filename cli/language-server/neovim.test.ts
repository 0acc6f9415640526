/** Neovim as a client of the built command: an error appears, a fix mends it, a rule is renamed. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { withFiles } from '../../test/harness/command.js';

const neovim = '/usr/bin/nvim';
const writ = join(import.meta.dirname, '../../bin/writ');

const script = `
local root, writ = vim.env.WRIT_ROOT, vim.env.WRIT
local function say(text) io.stdout:write(text .. '\\n') end
local function wait(what, done)
  if not vim.wait(30000, done, 20) then say('no ' .. what); vim.cmd('qa!') end
end
local function errors()
  return vim.diagnostic.get(0, { severity = vim.diagnostic.severity.ERROR })
end
vim.cmd('edit ' .. root .. '/app/access.rego')
local id = vim.lsp.start_client({ cmd = { writ, 'language-server' }, root_dir = root, name = 'writ' })
vim.lsp.buf_attach_client(0, id)
wait('error', function() return #errors() > 0 end)
local found = errors()[1]
say(found.lnum .. ':' .. found.col .. ' ' .. vim.split(found.message, '\\n')[1])
vim.api.nvim_win_set_cursor(0, { found.lnum + 1, found.col })
local params = vim.lsp.util.make_range_params()
params.context = { diagnostics = vim.lsp.diagnostic.get_line_diagnostics() }
local answers = vim.lsp.buf_request_sync(0, 'textDocument/codeAction', params, 30000)
local action = answers[id].result[1]
say(action.title)
vim.lsp.util.apply_workspace_edit(action.edit, 'utf-16')
wait('end of the error', function() return #errors() == 0 end)
vim.api.nvim_win_set_cursor(0, { 3, 0 })
vim.lsp.buf.rename('permit')
wait('rename', function() return vim.api.nvim_buf_get_lines(0, 2, 3, true)[1]:find('permit') ~= nil end)
vim.cmd('wall')
local hover = vim.lsp.buf_request_sync(0, 'textDocument/hover', vim.lsp.util.make_position_params(), 30000)
say(vim.split(hover[id].result.contents.value, '\\n')[2])
vim.cmd('qa!')
`;

test.skipIf(!existsSync(neovim))(
  'an editor shows an error, mends it, and renames a rule in two files',
  async () => {
    const files = {
      'app/access.rego': 'package app.access\n\nallow if usr == "ann"\n\nuser := input.user\n',
      'app/other.rego': 'package app.other\n\nimport data.app.access\n\nok if access.allow\n',
    };
    await withFiles(files, async (folder) => {
      const path = join(folder, 'test.lua');
      writeFileSync(path, script);
      const { stdout } = spawnSync(neovim, ['--headless', '-u', 'NONE', '-c', `luafile ${path}`], {
        encoding: 'utf8',
        env: { ...process.env, WRIT: writ, WRIT_ROOT: folder, HOME: folder },
        timeout: 120_000,
      });
      expect(stdout.trim().split('\n')).toEqual(['2:9 var usr is unsafe', 'Change to user', 'data.app.access.permit: boolean']);
      expect(readFileSync(join(folder, 'app/access.rego'), 'utf8')).toBe(
        'package app.access\n\npermit if user == "ann"\n\nuser := input.user\n',
      );
      expect(readFileSync(join(folder, 'app/other.rego'), 'utf8')).toContain('ok if access.permit\n');
    });
  },
  150_000,
);
