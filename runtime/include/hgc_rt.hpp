//===- hgc_rt.hpp - compiled models in C++ --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Header-only C++17 over hgc_rt.h: owners that clean up, views of memory, and
// failures as values. Works without exceptions and RTTI. `hgc compile` writes a
// header model.hpp beside model.h, with a class for the model.
//===----------------------------------------------------------------------===//
#ifndef HGC_RT_HPP
#define HGC_RT_HPP

#include "hgc_rt.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <iterator>
#include <string>
#include <type_traits>
#include <utility>

namespace hgc {

/// What a call came to: HGC_RT_OK, or a code with a message that ends with a
/// line `hint: ...`.
class [[nodiscard]] status {
public:
  status() = default;
  status(hgc_rt_status code, const char *message)
      : code_(code), message_(code == HGC_RT_OK ? "" : message) {}

  bool ok() const noexcept { return code_ == HGC_RT_OK; }
  explicit operator bool() const noexcept { return ok(); }
  hgc_rt_status code() const noexcept { return code_; }
  const std::string &message() const noexcept { return message_; }

private:
  hgc_rt_status code_ = HGC_RT_OK;
  std::string message_;
};

/// A value, or the status that says why there is none.
template <class T> class [[nodiscard]] result {
public:
  result(T value) : value_(std::move(value)) {}
  result(hgc::status error) : status_(std::move(error)) {}

  bool ok() const noexcept { return status_.ok(); }
  explicit operator bool() const noexcept { return ok(); }
  const hgc::status &status() const noexcept { return status_; }
  /// Only of a success.
  T &operator*() &noexcept { return value_; }
  T &&operator*() &&noexcept { return std::move(value_); }
  T *operator->() noexcept { return &value_; }

private:
  T value_{};
  hgc::status status_;
};

/// Memory of the caller: a pointer and a number of elements. Made of arrays and
/// of all that has data() and size(), such as std::vector.
template <class T> class view {
public:
  constexpr view() = default;
  constexpr view(T *data, std::size_t size) noexcept
      : data_(data), size_(size) {}
  template <std::size_t N>
  constexpr view(T (&array)[N]) noexcept : data_(array), size_(N) {}
  template <class C, class P = decltype(std::data(std::declval<C &>())),
            class = decltype(std::size(std::declval<C &>())),
            class = std::enable_if_t<
                !std::is_array_v<std::remove_reference_t<C>> &&
                std::is_convertible_v<std::remove_pointer_t<P> (*)[], T (*)[]>>>
  constexpr view(C &&container) noexcept
      : data_(std::data(container)), size_(std::size(container)) {}

  constexpr T *data() const noexcept { return data_; }
  constexpr std::size_t size() const noexcept { return size_; }
  constexpr bool empty() const noexcept { return size_ == 0; }
  constexpr T *begin() const noexcept { return data_; }
  constexpr T *end() const noexcept { return data_ + size_; }
  constexpr T &operator[](std::size_t i) const noexcept { return data_[i]; }
  /// At most the first `count` elements.
  constexpr view first(std::size_t count) const noexcept {
    return view(data_, count < size_ ? count : size_);
  }

private:
  T *data_ = nullptr;
  std::size_t size_ = 0;
};

/// A call in flight; waits for it at the end of its life. The model and the
/// buffers must live longer.
class [[nodiscard]] ticket {
public:
  ticket() = default;
  ticket(hgc_rt_model *model, hgc_rt_ticket number)
      : model_(model), number_(number) {}
  ticket(ticket &&other) noexcept
      : model_(std::exchange(other.model_, nullptr)), number_(other.number_) {}
  ticket &operator=(ticket &&other) noexcept {
    std::swap(model_, other.model_);
    std::swap(number_, other.number_);
    return *this;
  }
  ~ticket() {
    if (model_)
      hgc_rt_model_wait(model_, number_);
  }

  /// Waits for the call and tells how it ended; once.
  hgc::status wait() {
    hgc_rt_model *model = std::exchange(model_, nullptr);
    hgc_rt_status code = hgc_rt_model_wait(model, number_);
    return hgc::status(code, hgc_rt_model_last_error(model));
  }

private:
  hgc_rt_model *model_ = nullptr;
  hgc_rt_ticket number_ = 0;
};

/// Default options of create.
inline hgc_rt_options default_options() { return hgc_rt_options_default(); }

/// An instance of any model, and what the classes of all models share.
class model {
public:
  model() = default;
  /// Takes over an instance.
  explicit model(hgc_rt_model *handle) noexcept : handle_(handle) {}
  model(model &&other) noexcept
      : handle_(std::exchange(other.handle_, nullptr)) {}
  model &operator=(model &&other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~model() { hgc_rt_model_destroy(handle_); }

  explicit operator bool() const noexcept { return handle_ != nullptr; }
  /// For the functions of hgc_rt.h; stays the model's own.
  hgc_rt_model *handle() const noexcept { return handle_; }

  /// "cpu", "gpu" or "emulated"; its name; why it is not a GPU.
  const char *device() const { return hgc_rt_model_device(handle_); }
  const char *device_name() const { return hgc_rt_model_device_name(handle_); }
  const char *fallback_reason() const {
    return hgc_rt_model_fallback_reason(handle_);
  }
  /// All there is to know of the model, as JSON.
  std::string describe() const {
    std::string text(static_cast<std::size_t>(
                         hgc_rt_model_describe_json(handle_, nullptr, 0)) +
                         1,
                     '\0');
    hgc_rt_model_describe_json(handle_, &text[0],
                               static_cast<std::int64_t>(text.size()));
    text.pop_back();
    return text;
  }
  result<hgc_rt_memory_info> memory() const {
    hgc_rt_memory_info info = {};
    info.size = sizeof(info);
    info.version = HGC_RT_VERSION;
    hgc::status status =
        check(hgc_rt_model_memory_requirements(handle_, &info));
    return status ? result<hgc_rt_memory_info>(info) : std::move(status);
  }

  int threads() const { return hgc_rt_model_get_threads(handle_); }
  hgc::status set_threads(int count) {
    return check(hgc_rt_model_set_threads(handle_, count));
  }
  /// Mutable parameters to and from a safetensors file.
  hgc::status save(const char *path) {
    return check(hgc_rt_model_save(handle_, path));
  }
  hgc::status load(const char *path) {
    return check(hgc_rt_model_load(handle_, path));
  }
  /// Gives mutable parameters their initial values and clears a failure.
  hgc::status reset() { return check(hgc_rt_model_reset(handle_)); }
  /// Copies a parameter out or, when it is mutable, in; row-major.
  template <class T> hgc::status get_param(const char *name, view<T> to) {
    int index = find_param(name);
    return index < 0 ? no_param(name)
                     : check(hgc_rt_model_get_param(handle_, index, to.data(),
                                                    bytes(to)));
  }
  template <class T> hgc::status set_param(const char *name, view<T> from) {
    int index = find_param(name);
    return index < 0 ? no_param(name)
                     : check(hgc_rt_model_set_param(handle_, index, from.data(),
                                                    bytes(from)));
  }

protected:
  hgc::status check(hgc_rt_status code) const {
    return hgc::status(code, hgc_rt_model_last_error(handle_));
  }

private:
  template <class T> static std::int64_t bytes(view<T> memory) {
    return static_cast<std::int64_t>(memory.size() * sizeof(T));
  }
  int find_param(const char *name) const {
    int count = hgc_rt_model_param_count(handle_);
    for (int i = 0; i < count; ++i)
      if (!std::strcmp(hgc_rt_model_param_info(handle_, i)->tensor.name, name))
        return i;
    return -1;
  }
  static hgc::status no_param(const char *name) {
    std::string text = std::string("no parameter '") + name + "'";
    text += "\nhint: describe() lists them";
    return hgc::status(HGC_RT_INVALID_ARGUMENT, text.c_str());
  }

  hgc_rt_model *handle_ = nullptr;
};

namespace detail {

/// Product of extents; -1 when one is negative or the product too large.
constexpr std::int64_t count(std::initializer_list<std::int64_t> extents) {
  std::int64_t product = 1;
  for (std::int64_t extent : extents) {
    if (extent < 0 || (extent && product > INT64_MAX / extent))
      return -1;
    product *= extent;
  }
  return product;
}

/// What is wrong with the size of an argument, if anything. Extents that make
/// no size are left to the model, which knows its variants.
inline status check_size(const char *what, std::size_t have, std::int64_t want,
                         bool exact = true) {
  std::size_t size = static_cast<std::size_t>(want);
  if (want < 0 || have == size || (!exact && have > size))
    return status();
  std::string text = std::string(what) + " has " + std::to_string(have) +
                     " elements, expected " + (exact ? "" : "at least ") +
                     std::to_string(want) +
                     "\nhint: <name>_size() tells how many are needed; "
                     "view.first(n) takes a part";
  return status(HGC_RT_INVALID_ARGUMENT, text.c_str());
}

} // namespace detail
} // namespace hgc

#endif // HGC_RT_HPP
