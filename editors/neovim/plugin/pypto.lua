-- Starts pypto-lsp for Python buffers. Put this folder (editors/neovim) on the runtime path, for instance with
--   vim.opt.runtimepath:append("/path/to/editors/neovim")
-- Other settings: vim.g.pypto_lsp = { cmd = { "uvx", "pypto-lsp", "serve" }, settings = { target = "ascend950" } }

if vim.g.loaded_pypto_lsp then
  return
end
vim.g.loaded_pypto_lsp = true

local user = vim.g.pypto_lsp or {}

if vim.lsp.config and vim.lsp.enable then
  local overrides = {}
  if user.cmd then
    overrides.cmd = user.cmd
  end
  if user.settings then
    overrides.init_options = { settings = user.settings }
  end
  vim.lsp.config("pypto", overrides)
  vim.lsp.enable("pypto")
  return
end

-- Neovim 0.7 to 0.10: one client for each root folder
local clients = {}

local function root_of(path)
  local folder = vim.fn.fnamemodify(path, ":p:h")
  local current = folder
  while current and current ~= "" do
    for _, marker in ipairs({ "pyproject.toml", "setup.py", ".git" }) do
      if vim.loop.fs_stat(current .. "/" .. marker) then
        return current
      end
    end
    local parent = vim.fn.fnamemodify(current, ":h")
    if parent == current then
      break
    end
    current = parent
  end
  return folder
end

local function attach(buffer)
  local path = vim.api.nvim_buf_get_name(buffer)
  if path == "" or vim.bo[buffer].buftype ~= "" then
    return
  end
  local root = root_of(path)
  local id = clients[root]
  if not id or not vim.lsp.get_client_by_id(id) then
    id = vim.lsp.start_client({
      name = "pypto",
      cmd = user.cmd or { "pypto-lsp", "serve" },
      root_dir = root,
      workspace_folders = { { uri = vim.uri_from_fname(root), name = root } },
      init_options = { settings = user.settings or { target = "ascend910b" } },
    })
    clients[root] = id
  end
  if id then
    vim.lsp.buf_attach_client(buffer, id)
  end
end

vim.api.nvim_create_autocmd("FileType", {
  pattern = "python",
  group = vim.api.nvim_create_augroup("pypto_lsp", { clear = true }),
  callback = function(event)
    attach(event.buf)
  end,
})
